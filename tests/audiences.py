"""Audiences for tests: two, and the headers by which a trusted proxy says that somebody is in them."""

AUDIENCES = """
[serve]
trusted_proxies = ["127.0.0.1"]
user_header = "X-Forwarded-User"
groups_header = "X-Forwarded-Groups"
requests_per_second = 0
[[audience]]
name = "staff"
groups = ["staff"]
[[audience]]
name = "board"
users = ["ada"]
"""
STAFF = {"X-Forwarded-User": "bob", "X-Forwarded-Groups": "staff"}
