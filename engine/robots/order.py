"""Orders rules by precedence, and finds the one that decides in time that hardly grows with their number."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from engine.robots.glob import Glob
from engine.robots.meaning import Rule
from engine.robots.pattern import Pattern


class PrefixTable:
    """Many strings, and which of them a path starts with: one binary search, whatever their number.

    `above` gives for each the longest other that it starts with itself, by its place; -1 is none.
    """

    def __init__(self, heads: Iterable[str]) -> None:
        self.heads = sorted(heads)
        self.above: list[int] = []
        for place, head in enumerate(self.heads):
            above = place - 1
            while above >= 0 and not head.startswith(self.heads[above]):
                above = self.above[above]
            self.above.append(above)

    def find_longest(self, path: str) -> int:
        """Finds the place of the longest that the path starts with, -1 for none.

        All that the path starts with are beginnings of the last one that sorts before it. They differ in
        length, so that a file within the limit holds about a thousand of them at most.
        """
        place = bisect_right(self.heads, path) - 1
        while place >= 0 and not path.startswith(self.heads[place]):
            place = self.above[place]
        return place


class RuleOrder:
    """Rules, the one that decides first before the others; a rank is a place among them."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules: list[Rule | None] = [*rules, None]
        prefixes: dict[str, int] = {}
        wild: dict[str, dict[Pattern | Glob, int]] = {}  # each pattern once, in order
        for rank, rule in enumerate(rules):
            if rule.pattern.is_prefix:
                prefixes.setdefault(rule.pattern.head, rank)
            else:
                wild.setdefault(rule.pattern.head, {}).setdefault(rule.pattern, rank)
        self._prefixes = PrefixTable(prefixes)
        self._ranks: list[int] = []
        for head, above in zip(self._prefixes.heads, self._prefixes.above, strict=True):
            self._ranks.append(prefixes[head] if above < 0 else min(prefixes[head], self._ranks[above]))
        self._ranks.append(len(rules))  # what place -1 finds: no rule
        self._wild = PrefixTable(wild)
        self._wild_ranks = [tuple(wild[head].values()) for head in self._wild.heads]

    def first_match(self, path: str) -> Rule | None:
        """Finds the first that a normal path meets, None when it meets none."""
        rank = self._ranks[self._prefixes.find_longest(path)]
        place = self._wild.find_longest(path)
        while place >= 0:
            rank = self._first_of(self._wild_ranks[place], rank, path)
            place = self._wild.above[place]
        return self._rules[rank]

    def _first_of(self, ranks: Sequence[int], rank: int, path: str) -> int:
        """Finds the first of some ranks whose rule the path meets, or the given one when that is lower."""
        for candidate in ranks:
            if candidate >= rank:
                break
            rule = self._rules[candidate]
            if rule and rule.pattern.matches(path):
                return candidate
        return rank
