"""Which documents a query finds in one snapshot, in which order, with which facets, and why."""
