"""The frontier: URLs known but not yet fetched, and which of them may be asked now."""

from engine.frontier.caps import Caps
from engine.frontier.crawl_rate import LEAST_PAUSE, NEVER, Tempo, tempo
from engine.frontier.domains import USUAL, DomainLimits
from engine.frontier.host_queue import MAX_LINE, HostLine, line_length
from engine.frontier.host_record import FOREIGN, FRESH, GIVEN_UP, MAX_ERRORS, WINDOW
from engine.frontier.host_share import HostShare
from engine.frontier.leases import call, called_for, queued
from engine.frontier.new_url import NewUrl
from engine.frontier.politeness import PACES, Pace
from engine.frontier.queue import Frontier
from engine.frontier.robots_cache import MAX_RULES_BYTES
from engine.frontier.seen_urls import SEEN_BYTES, Seen
from engine.frontier.sites import Sites, sites_of
from engine.frontier.suspects import Suspects
from engine.frontier.throttle import Allowance, Throttle

__all__ = [
    "FOREIGN",
    "FRESH",
    "GIVEN_UP",
    "LEAST_PAUSE",
    "MAX_ERRORS",
    "MAX_LINE",
    "MAX_RULES_BYTES",
    "NEVER",
    "PACES",
    "SEEN_BYTES",
    "USUAL",
    "WINDOW",
    "Allowance",
    "Caps",
    "DomainLimits",
    "Frontier",
    "HostLine",
    "HostShare",
    "NewUrl",
    "Pace",
    "Seen",
    "Sites",
    "Suspects",
    "Tempo",
    "Throttle",
    "call",
    "called_for",
    "line_length",
    "queued",
    "sites_of",
    "tempo",
]
