"""The frontier: URLs known but not yet fetched, and which of them may be asked now."""
