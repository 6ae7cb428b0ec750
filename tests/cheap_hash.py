"""A password hasher for tests that are about something else: a guess takes no 0.16 s of processor time."""

from argon2 import PasswordHasher

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
