"""robots.txt -> which record speaks to whom, which rule decides (RFC 9309, 2.2; requirements 124-193)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from engine.robots.lines import BLANKS, WHITE, Line, as_text, read_line, split_lines
from engine.robots.pattern import Pattern, path_of

MAX_WARNINGS = 100  # more would not be read
ANY = "*"  # the name in a record for whoever is not named
_PRODUCT_TOKEN = re.compile(r"[A-Za-z0-9_-]+")  # RFC 9309, 2.2.1, and digits (C9)
_BETWEEN_NAMES = re.compile(r"[ \t,]+")  # C8
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}")


class Rule(NamedTuple):
    """One allow or disallow line, or one of the paths on it (C7)."""

    allow: bool
    pattern: Pattern
    line: int
    text: str  # as the owner wrote it, one character an octet


class Reason(NamedTuple):
    """Why a URL is allowed or not: the line that decides, 0 and '' when no rule matches."""

    allowed: bool
    rule: str = ""
    line: int = 0


class Remark(NamedTuple):
    """What an owner may want to mend."""

    line: int
    text: str


class LineCounts(NamedTuple):
    """The three kinds of line (requirement 124)."""

    blank: int
    comment: int
    rule: int


@dataclass(frozen=True, slots=True)
class Group:
    """One record: the names in lower case that it speaks to, its rules, its delay in seconds."""

    names: frozenset[str]
    rules: tuple[Rule, ...]
    crawl_delay: float | None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that concerns one robot: the rules of its groups, the one that decides first."""

    rules: tuple[Rule, ...]
    wildcards: tuple[Rule, ...]  # those of them that are more than a prefix, few as a rule
    prefixes: tuple[str, ...]  # the others' heads
    crawl_delay: float | None

    def decide(self, path: str) -> Rule | None:
        """The rule for a normal path: the longest that matches, Allow on a tie (RFC 9309, 2.2.2)."""
        # Most paths meet no prefix at all, and this one call knows it before any rule is looked at.
        candidates = self.rules if path.startswith(self.prefixes) else self.wildcards
        for rule in candidates:
            if path.startswith(rule.pattern.head) and rule.pattern.matches(path):
                return rule
        return None


@dataclass(frozen=True)
class RobotsTxt:
    """A robots.txt as we understand it. Agents are product tokens, URLs are canonical."""

    groups: tuple[Group, ...]
    sitemaps: tuple[str, ...]  # as written, in order; a relative one has a warning
    warnings: tuple[Remark, ...]
    lines: LineCounts
    _rulesets: dict[str, Ruleset] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def parse(cls, body: bytes) -> "RobotsTxt":
        """Read any octets, in time linear in their number; what is no rule is passed over."""
        lines = split_lines(body)
        reader = _Reader()
        for number, raw in enumerate(lines, 1):
            if line := read_line(raw):
                reader.read(number, line)
        groups = tuple(group.close() for group in reader.groups)
        return cls(groups, tuple(reader.sitemaps), tuple(reader.warnings), _count(lines))

    def allowed(self, agent: str, url: str) -> bool:
        """Whether this robot may fetch this URL."""
        rule = self._decide(agent, url)
        return rule is None or rule.allow

    def explain(self, agent: str, url: str) -> Reason:
        """The answer of `allowed` and the line that gives it."""
        rule = self._decide(agent, url)
        return Reason(rule.allow, as_text(rule.text), rule.line) if rule else Reason(allowed=True)

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between two fetches that the owner asks of this robot, None if nothing."""
        return self._ruleset(agent).crawl_delay

    def _decide(self, agent: str, url: str) -> Rule | None:
        path = path_of(url)
        return None if path == "/robots.txt" else self._ruleset(agent).decide(path)  # C38

    def _ruleset(self, agent: str) -> Ruleset:
        name = agent.lower()
        if name not in self._by_name:
            name = ANY
        if name not in self._rulesets:
            self._rulesets[name] = _merge(self._by_name.get(name, ()))
        return self._rulesets[name]

    @cached_property
    def _by_name(self) -> dict[str, list[Group]]:
        groups: dict[str, list[Group]] = {}
        for group in self.groups:
            for name in group.names:
                groups.setdefault(name, []).append(group)
        return groups


def _merge(groups: Sequence[Group]) -> Ruleset:
    """The rules of all groups of one name (RFC 9309, 2.2.1; C10); of several delays the longest."""
    rules = [rule for group in groups for rule in group.rules]
    rules.sort(key=lambda rule: (-rule.pattern.length, not rule.allow))
    delays = [group.crawl_delay for group in groups if group.crawl_delay is not None]
    prefixes = {rule.pattern.head: None for rule in rules if rule.pattern.is_prefix}
    return Ruleset(
        rules=tuple(rules),
        wildcards=tuple(rule for rule in rules if not rule.pattern.is_prefix),
        prefixes=tuple(prefixes),
        crawl_delay=max(delays, default=None),
    )


def _count(lines: Sequence[str]) -> LineCounts:
    starts = [line.lstrip(WHITE)[:1] for line in lines]
    blank, comment = starts.count(""), starts.count("#")
    return LineCounts(blank, comment, len(lines) - blank - comment)


@dataclass(slots=True)
class _OpenGroup:
    names: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    has_rules: bool = False  # so the next User-agent line opens another group
    crawl_delay: float | None = None

    def close(self) -> Group:
        return Group(frozenset(self.names), tuple(self.rules), self.crawl_delay)


@dataclass(slots=True)
class _Reader:
    """Collects groups line by line.

    Only Allow and Disallow end the names of a group: no other line may interfere (RFC 9309, 2.2.4),
    a Crawl-delay no more than a Sitemap.
    """

    groups: list[_OpenGroup] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    warnings: list[Remark] = field(default_factory=list)

    def read(self, number: int, line: Line) -> None:
        """Take in one line."""
        if line.slip:
            self._warn(number, line.slip)
        if line.field == "sitemap":
            self._sitemap(number, as_text(line.value))
        elif line.field == "user-agent":
            self._names(number, line.value)
        elif not self.groups:
            self._warn(number, f"{line.field} before any User-agent is ignored")
        elif line.field == "crawl-delay":
            self._crawl_delay(number, line.value)
        else:
            self._rule(number, line)

    def _sitemap(self, number: int, url: str) -> None:
        if not url:
            return
        self.sitemaps.append(url)
        if "://" not in url:
            self._warn(number, "a Sitemap needs a whole URL")  # C36

    def _names(self, number: int, value: str) -> None:
        if not self.groups or self.groups[-1].has_rules:
            self.groups.append(_OpenGroup())
        for word in _BETWEEN_NAMES.split(value):
            token = _PRODUCT_TOKEN.match(word)
            if word == ANY or token:
                self.groups[-1].names.add(token[0].lower() if token else ANY)
            if ANY in word and word != ANY:
                self._warn(number, f"* has no meaning inside a name: {as_text(word)}")  # requirement 156

    def _crawl_delay(self, number: int, value: str) -> None:
        seconds = _SECONDS.match(value)
        if seconds:
            self.groups[-1].crawl_delay = max(float(seconds[0]), self.groups[-1].crawl_delay or 0.0)
        else:
            self._warn(number, f"no number of seconds: {as_text(value)}")

    def _rule(self, number: int, line: Line) -> None:
        group = self.groups[-1]
        group.has_rules = True
        allow = line.field == "allow"
        paths = [line.value] if allow else BLANKS.split(line.value)  # C7
        if len(paths) > 1:
            self._warn(number, "several paths on one line")
        text = f"{line.field.capitalize()}: {line.value}"
        for path in filter(None, paths):  # an empty value is no rule (C13)
            if path[0] not in "/*":
                self._warn(number, f"a path starts with /: {as_text(path)}")
                if allow:  # C40: in doubt the owner wants less to be fetched
                    continue
                path = "/" + path
            group.rules.append(Rule(allow, Pattern.parse(path), number, text))

    def _warn(self, number: int, text: str) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(Remark(number, text))
