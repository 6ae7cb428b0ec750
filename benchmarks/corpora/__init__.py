"""Makes what is measured on: pages, queries, databases and visitors, the same ones for the same seed."""
