"""Measures: time, memory, disk, idleness; rows and plots of what was measured."""
