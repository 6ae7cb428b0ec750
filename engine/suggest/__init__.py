"""Beside the hits: the query that was meant, completions while one types, the operator's own words."""
