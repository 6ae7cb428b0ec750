"""Which passage of a page answers a query, and what of it is shown."""
