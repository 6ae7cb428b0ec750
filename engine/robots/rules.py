"""Decides by robots.txt about a URL, and reads what else is asked of a robot (requirements 124-193)."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from engine.robots.groups import Group, read_groups
from engine.robots.lines import (
    MAX_ROBOTS_BYTES,
    Statistics,
    count_lines,
    decode_for_display,
    read_lines,
    read_text,
)
from engine.robots.meaning import SearchSignal
from engine.robots.profiles import Profile, find_profile
from engine.robots.remarks import LineWarning, find_warnings
from engine.robots.ruleset import Ruleset, select_ruleset
from engine.robots.timing import RequestRate, Window
from engine.robots.wildcards import MAX_WILDCARDS

__all__ = ["LineWarning", "Reason", "RobotsTxt"]

_Kind = TypeVar("_Kind")
_BEYOND = (
    "{:,} rules from here on are beyond the {:,} wildcards that are looked for in one path: of these a "
    "Disallow holds for all that begins as it does before its first wildcard, and an Allow for nothing"
)


class Reason(NamedTuple):
    """Why a URL is allowed or not: the line that decides, 0 and '' when no rule matches.

    `group` holds the names, sorted, of the groups that speak to the robot; none when there is no such group.
    """

    allowed: bool
    rule: str = ""
    line: int = 0
    group: tuple[str, ...] = ()


@dataclass(frozen=True)
class RobotsTxt:
    """A parsed robots.txt. Agents are product tokens; a version behind one is ignored."""

    text: str = field(repr=False)  # the lines that are read, one character an octet
    cut: bool  # whether the file goes on
    profile: Profile
    groups: tuple[Group, ...]
    _rulesets: dict[str, Ruleset] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def parse(cls, body: bytes, profile: str = "rfc9309") -> "RobotsTxt":
        """Parses any octets, in time linear in their number; ValueError for an unknown profile."""
        version = find_profile(profile)
        text = read_text(body)
        return cls(text, len(body) > MAX_ROBOTS_BYTES, version, read_groups(text, version))

    def allowed(self, agent: str, url: str) -> bool:
        """Tells whether this robot may fetch this URL."""
        rules = self._rulesets.get(agent) or self._ruleset(agent)
        if rules.open:
            return True
        met = rules.quick and rules.quick(url)
        return met.lastindex is None if met else rules.allows(url)

    def explain(self, agent: str, url: str) -> Reason:
        """Returns the answer of `allowed` and the line that gives it."""
        rules = self._ruleset(agent)
        names = tuple(sorted({name for group in rules.groups for name in group.names}))
        rule = rules.find_rule(url)
        return Reason(rule.allow, rule.text, rule.line, names) if rule else Reason(True, group=names)

    def crawl_delay(self, agent: str) -> float | None:
        """Returns the seconds between fetches that the owner asks of this robot, the longest of several."""
        return max(self._wishes(agent, float), default=None)

    def request_rates(self, agent: str) -> list[RequestRate]:
        """Returns all Request-rates for this robot, in order."""
        return self._wishes(agent, RequestRate)

    def visit_times(self, agent: str) -> list[Window]:
        """Returns all Visit-times for this robot, in order."""
        return self._wishes(agent, Window)

    def indexable(self, agent: str) -> bool:
        """Tells whether search may find what this robot fetches: no Content-Signal says search=no."""
        return all(search.is_allowed for search in self._wishes(agent, SearchSignal))

    def beyond(self, agent: str) -> LineWarning | None:
        """Counts rules for this robot with more wildcards than are matched, and what becomes of them."""
        left = self._ruleset(agent).beyond
        return LineWarning(left[0].line, _BEYOND.format(len(left), MAX_WILDCARDS)) if left else None

    @cached_property
    def sitemaps(self) -> tuple[str, ...]:
        """Sitemaps as written, in order, whoever is named above; a relative one has a warning (192, 193)."""
        lines = read_lines(self.text)
        return tuple(
            decode_for_display(value) for _, field, value, _ in lines if field == "sitemap" and value
        )

    @cached_property
    def warnings(self) -> tuple[LineWarning, ...]:
        """Warnings of what the owner may want to mend, the first so many."""
        return find_warnings(self.text, self.cut, self.groups, self.profile)

    @cached_property
    def statistics(self) -> Statistics:
        """The number of lines of each kind."""
        return count_lines(self.text)

    def _wishes(self, agent: str, kind: type[_Kind]) -> list[_Kind]:
        return [wish for wish in self._ruleset(agent).wishes if isinstance(wish, kind)]

    def _ruleset(self, agent: str) -> Ruleset:
        rules = self._rulesets.get(agent)
        if rules is None:
            rules = self._rulesets[agent] = select_ruleset(self.groups, agent, self.profile)
        return rules
