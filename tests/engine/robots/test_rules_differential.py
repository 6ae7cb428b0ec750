"""Ours beside Protego and robotspy, on generated files: every difference is one that we chose."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce

import pytest
from protego import Protego
from robots.parser import RobotsParser

from engine.robots import RobotsTxt
from tests.engine.robots.readings import PROTEGO, ROBOTSPY, Question, Reading

FILES = 2_000
SEED = 0x4C59
NAMES = ["ours", "Ours", "other", "third", "*"]
ODD_NAMES = ["ours/1.2", "ours other", "other,ours", "ou*", "our", "ours2", "oursx", "* third"]
PATHS = ["/", "/a", "/a/", "/a/b", "/b", "/a/b/c.gif", "/ab", "/b?x=1", "/x/"]
WILD = ["/*.gif", "/*.gif$", "/a$", "/a/*", "/a*c", "*.gif", "*", "/b$", "/*/b"]
ODD_PATHS = ["", "private", "/%61", "/~u", "/%7Eu", "/a%2Fb", "/ä", "/%C3%A4", "/b%3Fx", "/a b", "/x /a"]
INDEX = ["/x/index.html", "/index.html"]
OTHERS = ["", "# all", "Foo: bar", "Crawl-delay: 2", "Request-rate: 1/5", "Sitemap: http://h/s.xml", "junk"]
ODD_LINES = [
    "disallow /b",
    "dissallow: /b",
    "useragent: ours",
    "User agent: ours",
    "Disallow nobody here please",
]
ASKED = ["/", "/a", "/a/b", "/a/b/c.gif", "/ab", "/b?x=1", "/b", "/~u", "/%7eu", "/%61", "/a%2Fb", "/%C3%A4"]
ODD_ASKED = ["/a$", "/x/", "/x/index.html", "/robots.txt", "/private/x", "//a", "/a%20b", "/b%3Fx=1", "/ä"]

Parser = Callable[[str], Callable[[str, str], bool]]


def protego(text: str) -> Callable[[str, str], bool]:
    robots = Protego.parse(text)
    return lambda agent, url: robots.can_fetch(url, agent)


def robotspy(text: str) -> Callable[[str, str], bool]:
    robots = RobotsParser.from_string(text)
    return lambda agent, url: robots.can_fetch(agent, url)


def ours(text: str) -> Callable[[str, str], bool]:
    return RobotsTxt.parse(text.encode()).allowed


def answer(parser: Parser, asked: Question) -> bool:
    return parser("\n".join(asked.lines))(asked.agent, f"http://h{asked.path}")


def group(rng: random.Random) -> Iterator[str]:
    """One record as owners write them, seldom an odd one."""
    for _ in range(rng.choice([1, 1, 1, 2])):
        field = rng.choice(["User-agent", "User-agent", "user-agent "])
        yield f"{field}: {rng.choice(NAMES if rng.random() < 0.8 else ODD_NAMES)}"
        if rng.random() < 0.2:
            yield rng.choice(rng.choice([OTHERS, ODD_LINES]))
    for _ in range(rng.randint(0, 4)):
        field = rng.choice(["Disallow", "Disallow", "Allow", "disallow", "Disallow :"])
        path = rng.choice(rng.choice([PATHS, PATHS, PATHS, WILD, WILD, ODD_PATHS, ODD_PATHS, INDEX]))
        yield f"{field.removesuffix(':')}: {path}{rng.choice(['', '', '', ' # why'])}"
        if rng.random() < 0.15:
            yield rng.choice(OTHERS)
        if rng.random() < 0.05:
            yield rng.choice(ODD_LINES)


def questions() -> Iterator[Question]:
    """Generated files, and a few agents and paths asked of each."""
    rng = random.Random(SEED)
    for _ in range(FILES):
        lines = [line for _ in range(rng.randint(1, 4)) for line in group(rng)]
        lines[0] = rng.choice(["", "", "", "", "\ufeff"]) + lines[0]
        for path in (rng.choice(ASKED), rng.choice(ODD_ASKED), rng.choice(ODD_ASKED)):
            yield Question(tuple(lines), rng.choice(["ours", "ours", "other"]), path)


def without_comment(asked: Question) -> Question:
    return asked._replace(lines=tuple(line.partition(" #")[0] for line in asked.lines))


def told_apart(asked: Question) -> bool:
    """Whether robotspy answers the same in every run.

    It tells all names of a group what one of them was told before, in an order that changes.
    """
    met: set[str] = set()
    for names, _ in RobotsTxt.parse("\n".join(asked.lines).encode()).groups:
        if len(names) > 1 and met & set(names):
            return False
        met |= set(names)
    return True


def read(asked: Question, readings: Sequence[Reading]) -> Question:
    return reduce(lambda one, reading: reading.change(one), readings, without_comment(asked))


@pytest.mark.slow
@pytest.mark.requirement(180)
@pytest.mark.parametrize(
    ("peer", "readings"), [(protego, PROTEGO), (robotspy, ROBOTSPY)], ids=["protego", "robotspy"]
)
def test_every_difference_has_a_reason(peer: Parser, readings: list[Reading]) -> None:
    """And every reason has a difference; RFC 9309 and our decisions say which is ours."""
    unexplained = []
    explained: Counter[str] = Counter()
    for asked in questions():
        if peer is robotspy and not told_apart(read(asked, readings)):
            continue
        theirs = answer(peer, asked)
        if answer(ours, read(asked, readings)) is not theirs:
            unexplained.append((asked, theirs))
        elif answer(ours, asked) is not theirs:
            explained.update(reading.name for reading in readings if needed(reading, readings, asked, theirs))
    assert unexplained == []
    assert {reading.name for reading in readings} == set(explained)


def needed(reading: Reading, readings: Sequence[Reading], asked: Question, theirs: bool) -> bool:
    """Whether the others alone do not explain this answer."""
    return answer(ours, read(asked, [one for one in readings if one is not reading])) is not theirs
