"""Lets tests that know of a data folder alone run on PostgreSQL: `make promises`."""
