"""The data folder: locks, permissions, free space, and what its databases fail with."""
