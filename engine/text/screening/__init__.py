"""Whether a page is fit to be shown: pages that only say why they say nothing, and secrets."""
