"""Who links to whom: inlinks, anchor texts, clusters of copies, host templates."""
