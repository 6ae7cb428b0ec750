"""Makes test data: pages, queries, databases and visitors, the same ones for the same seed."""
