"""Runs several processes that do the same work, and replaces those that end or are to be renewed."""

from engine.prefork.messages import DRAIN, READY, Channel, Notice
from engine.prefork.supervisor import Supervisor

__all__ = ["DRAIN", "READY", "Channel", "Notice", "Supervisor"]
