"""Keeps link graphs in schemas of a PostgreSQL server, one for each generation. Needs psycopg, an extra."""

from engine.linkgraph.postgresql.storage import ServerStorage

__all__ = ["ServerStorage"]
