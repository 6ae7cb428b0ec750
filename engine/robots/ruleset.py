"""Selects what a robots.txt says to one robot (RFC 9309, 2.2.1 and 2.2.2)."""

from collections.abc import Sequence

from engine.robots.groups import ANY, Group
from engine.robots.meaning import Extension, Rule, parse_extension, parse_rules
from engine.robots.order import RuleOrder
from engine.robots.pattern import path_of
from engine.robots.profiles import Profile
from engine.robots.quick import CompiledRules, compile_rules
from engine.robots.wildcards import BoundedRules, bound_wildcards

FEW = 100  # rules; more are not looked through one by one
OFTEN = 100  # questions; then it pays to make an expression for those to come


class Ruleset:
    """The rules of the groups that speak to one robot."""

    __slots__ = ("_asked", "_heads", "_order", "beyond", "groups", "open", "quick", "rules", "wishes")

    def __init__(self, groups: Sequence[Group], found: BoundedRules, wishes: Sequence[Extension]) -> None:
        self.groups = groups
        rules = self.rules = found.rules  # the one that decides first
        self.beyond = found.beyond  # those that are not read as their owner wrote them
        self.wishes = wishes
        self.open = False not in [rule.allow for rule in rules]
        self.quick: CompiledRules | None = None
        self._order = RuleOrder(rules) if len(rules) > FEW else None
        self._heads = tuple([rule.pattern.head for rule in rules])
        self._asked = 0

    def allows(self, url: str) -> bool:
        """Tells whether the URL may be fetched."""
        self._asked += 1
        if self._asked == OFTEN and not self._order:
            self.quick = compile_rules(self.rules)
        rule = self.find_rule(url)
        return rule is None or rule.allow

    def find_rule(self, url: str) -> Rule | None:
        """Finds the rule that decides about a URL, None when none matches; none is about robots.txt (C38)."""
        path = path_of(url)
        if path == "/robots.txt":
            return None
        if self._order:
            return self._order.first_match(path)
        if path.startswith(self._heads):  # most paths start with none
            for rule in self.rules:
                if rule.pattern.matches(path):
                    return rule
        return None


def select_ruleset(groups: Sequence[Group], agent: str, profile: Profile) -> Ruleset:
    """Selects the rules of the groups that name this robot, or else of those for everybody (C10, C11)."""
    name = agent.partition("/")[0].strip().lower()
    chosen = _find_groups(groups, name, profile) or _find_groups(groups, ANY, profile)
    rules: list[Rule] = []
    wishes: list[Extension] = []
    for group, place in chosen:
        for said in group.lines:
            if said[1] in profile.rules:
                rules += parse_rules(said, profile)
            elif place < said[3] and (wish := parse_extension(said)) is not None:
                wishes.append(wish)
    found = bound_wildcards(rules)
    if not profile.first_match:
        found.rules.sort(key=_precedence, reverse=True)
    return Ruleset([group for group, _ in chosen], found, wishes)


def _precedence(rule: Rule) -> tuple[int, bool]:
    """Orders rules: the longest decides, Allow on a tie (C5)."""
    return rule.pattern.length, rule.allow


def _find_groups(groups: Sequence[Group], name: str, profile: Profile) -> list[tuple[Group, int]]:
    """Finds the groups that name this robot, each with the place of its name, as many as count (C9, C10)."""
    if profile.substring and name != ANY:
        chosen = [(group, place) for group in groups if (place := _find_name(group, name)) is not None]
    else:
        chosen = [(group, group.names[name]) for group in groups if name in group.names]
    return chosen if profile.merges_groups else chosen[:1]


def _find_name(group: Group, name: str) -> int | None:
    """Finds the place of the first of a group's names that is part of this one."""
    return min((place for token, place in group.names.items() if token in name), default=None)
