"""Decides who may see which pages: what a page requires, and what somebody sees."""

from engine.audience.membership import find_view
from engine.audience.rules import (
    OPEN_TO_ALL,
    AudienceRule,
    AudienceRules,
    load_audience_rules,
    read_audience_rules,
)
from engine.audience.view import EVERYBODY, EVERYONE, NOBODY, OPEN, OPERATOR, Required, View

__all__ = [
    "EVERYBODY",
    "EVERYONE",
    "NOBODY",
    "OPEN",
    "OPEN_TO_ALL",
    "OPERATOR",
    "AudienceRule",
    "AudienceRules",
    "Required",
    "View",
    "find_view",
    "load_audience_rules",
    "read_audience_rules",
]
