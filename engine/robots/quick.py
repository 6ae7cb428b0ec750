"""Compiles a robot's rules into one regular expression over whole URLs, for robots.txt files asked often."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from engine.robots.meaning import Rule
from engine.url import MAX_URL_LENGTH

MAX_LENGTH = 10_000  # octets of all rules; more cost more to make an expression of than it saves
MAX_BEHIND = 500  # octets behind wildcards, of all rules; an expression tries them at every place of a path
# Whether a URL is written as nearly all are: no escape, no fragment, no length that nobody asks for.
_USUAL = rf'https?://[^/?#]++(?=/[!"$&-~]{{0,{MAX_URL_LENGTH}}}+\Z)'

CompiledRules = Callable[[str], re.Match[str] | None]


def compile_rules(rules: Sequence[Rule]) -> CompiledRules | None:
    """Finds a match in every URL that is written as usual; a group in it is that of a rule that disallows.

    None when the rules are too long. They come in the order in which they decide.
    """
    length = sum(rule.pattern.length for rule in rules)
    if length > MAX_LENGTH or length - sum(len(rule.pattern.head) for rule in rules) > MAX_BEHIND:
        return None
    runs = groupby(rules, key=lambda rule: rule.allow)
    tried = [_alternatives(allow, run) for allow, run in runs]
    expression = "|".join([r"/robots\.txt\Z", *tried, ""])  # C38
    return re.compile(rf"{_USUAL}(?>{expression})").match


def _alternatives(allow: bool, rules: Iterable[Rule]) -> str:
    expressions = "|".join(rule.pattern.expression for rule in rules)
    return f"(?:{expressions})" if allow else f"({expressions})"
