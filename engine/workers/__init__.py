"""The read station: bodies go to processes of its own, what is to be kept of them comes back."""
