"""These tests import what needs psycopg, an extra."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("psycopg") else ["test_*.py"]
