"""Limits the wildcards that are matched in one path; rules beyond that permit nothing more.

Whether what is behind a wildcard stands in a path is found out rule by rule; of 32,000, as many as fit into
a robots.txt, one URL would take 0.3 s. What is not looked for is read so that nothing more is fetched than
the owner permits.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.robots.meaning import Rule
from engine.robots.order import PrefixTable
from engine.robots.pattern import Pattern

# In one path. The most in a whole robots.txt of our tests' is 543; 1,000, in the order that is worst for us,
# take 12 ms for a path of 2,000 characters.
MAX_WILDCARDS = 1_000


class BoundedRules(NamedTuple):
    """Rules that are quick to ask, and which of those that were given are not as their owner wrote them."""

    rules: list[Rule]
    beyond: tuple[Rule, ...] = ()


def bound_wildcards(rules: list[Rule]) -> BoundedRules:
    """Bounds the rules, of which those that one path can meet have MAX_WILDCARDS at most.

    Those with the shortest heads come first, then those that stand above the others in the file. Beyond that
    a Disallow holds for all that begins with its head, and weighs as before; an Allow is left out. So
    whatever is allowed now was allowed before.
    """
    counts = [0 if rule.pattern.is_prefix else rule.pattern.wildcards for rule in rules]
    if sum(counts) <= MAX_WILDCARDS:
        return BoundedRules(rules)
    beyond = _find_excess(rules, counts)
    kept = [
        _widen(rule) if at in beyond else rule
        for at, rule in enumerate(rules)
        if at not in beyond or not rule.allow
    ]
    return BoundedRules(kept, tuple(rules[at] for at in sorted(beyond)))


def _find_excess(rules: Sequence[Rule], counts: Sequence[int]) -> set[int]:
    """Finds the places of the rules that are too many; `counts` has the wildcards of each."""
    of_head: dict[str, list[int]] = {}
    for at, count in enumerate(counts):
        if count:
            of_head.setdefault(rules[at].pattern.head, []).append(at)
    heads = PrefixTable(of_head)
    met = [0] * (len(heads.heads) + 1)  # by a path that begins with the head; the last, for no head, stays 0
    beyond: set[int] = set()
    for place, (head, above) in enumerate(zip(heads.heads, heads.above, strict=True)):
        met[place] = met[above]
        for at in of_head[head]:
            if met[place] + counts[at] > MAX_WILDCARDS:
                beyond.add(at)
            else:
                met[place] += counts[at]
    return beyond


def _widen(rule: Rule) -> Rule:
    return rule._replace(pattern=Pattern(rule.pattern.head, (), "", False, rule.pattern.length))
