"""Which requirements the tests hold: each is named by the test, or the row of a table, that would fail."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Robots exclusion: requirements.md, sections 8 to 18 and 22, as far as they are the crawler's.
ROBOTS = {*range(82, 85), *range(88, 229), *range(230, 253), 310, *range(313, 318)}
# The frontier: sections 1 to 5, 7 and 8, and what of sections 19 to 22 is the crawler's.
FRONTIER = {
    *range(1, 6),
    *range(10, 55),
    *range(65, 81),
    *(86, 87),
    *range(259, 265),
    *range(266, 272),
    *range(273, 277),
    *(278, 280, 281, 282, 287, 312),
}
# Reading pages: what the index is fed.
READING = {13, 17, *range(55, 61), 81, 85, 229, 251, 283, 284, 307}
# The index: the first half of section 21.
INDEX = {*range(288, 295)}
# Ranking, queries and snippets: the middle of section 21.
RANKING = {296, *range(299, 307), 308, 309}
# The search page: forms, answers, and what its owner permits of a page.
PAGES = {203, 222, 277, 290, 295, 297, 298}
# Submission: what people add to the root set.
SUBMISSION = {*range(6, 10)}

_NAMED = re.compile(r"requirements? (\d+(?:(?:,? and |, )\d+)*)(?!\d|-\d)", re.IGNORECASE)


def spoken(path: Path) -> Iterator[str]:
    """What a file of tests or cases says: texts of functions and tables, not the opening of the module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        yield text
        return
    tree = ast.parse(text)
    opening = ast.get_docstring(tree, clean=False)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != opening:
            yield node.value


def named() -> set[int]:
    files = [path for path in TESTS.rglob("*") if path.suffix in (".py", ".json")]
    words = (word for path in files for text in spoken(path) for word in _NAMED.findall(text))
    return {int(number) for word in words for number in re.findall(r"\d+", word)}


@pytest.mark.parametrize(
    "wanted",
    [ROBOTS, FRONTIER, READING, INDEX, RANKING, PAGES, SUBMISSION],
    ids=["robots exclusion", "the frontier", "reading", "the index", "ranking", "the page", "submission"],
)
def test_every_requirement_is_held_by_a_test(wanted: set[int]) -> None:
    assert not sorted(wanted - named())
