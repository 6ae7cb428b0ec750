"""Measures robots.txt beside Protego: microseconds to parse a file, to match a URL, and among 5,000 rules.

The files are those of the tests, of the shared data where it is there, and generated ones; it needs no sites.
"""

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from protego import Protego

from benchmarks.instruments.row import Row, cost_row, report_progress
from engine.robots import RobotsTxt

PEER = "protego"
ROOT = Path(__file__).parent.parent
TABLES = ROOT / "tests/tables"
SHARED = ROOT.parent / "shared/data/robots"
ROUNDS = 20  # the best one counts: the others were disturbed
GENERATED = 100  # files
MANY = 5_000  # rules in one file
PATHS = 1_000  # asked of that file,
TIMES = 1_000  # so often each: a million questions
PEER_TIMES = 5  # of the peer, which takes longer
SEED = 0x4C59
AGENT = "FooBot"
FOLDERS = ["a", "cgi-bin", "search", "private", "tmp", "~user", "de", "static", "wp-admin", "2024"]
LEAVES = ["", "index.html", "x.php", "*.pdf$", "*/print", "*?sort="]


class RobotsQuestion(NamedTuple):
    """A file, and who asks what of it."""

    body: bytes
    agent: str
    url: str


def rows() -> Iterator[Row]:
    """Reading, the first answer, further answers; then one long file."""
    cases = [*_of_tests(), *_of_shared_data(), *_generated()]
    report_progress(f"{len(cases)} files and questions")
    texts = [(case.body.decode("utf-8", "replace"), case.agent, case.url) for case in cases]
    yield _compared(
        "robots.parse",
        lambda: [RobotsTxt.parse(case.body) for case in cases],
        lambda: [Protego.parse(text) for text, _, _ in texts],
        len(cases),
    )
    yield _compared(
        "robots.info.first",
        lambda: [RobotsTxt.parse(body).allowed(agent, url) for body, agent, url in cases],
        lambda: [Protego.parse(text).can_fetch(url, agent) for text, agent, url in texts],
        len(cases),
    )
    ours = [(RobotsTxt.parse(body).allowed, agent, url) for body, agent, url in cases]
    theirs = [(Protego.parse(text).can_fetch, url, agent) for text, agent, url in texts]
    yield _compared(
        "robots.match", partial(_ask, ours, ROUNDS), partial(_ask, theirs, ROUNDS), len(cases) * ROUNDS
    )
    yield from _among_many()


def _among_many() -> Iterator[Row]:
    """One file of MANY rules: all paths together, and the one that takes longest."""
    rng = random.Random(SEED)
    body = _file(rng, MANY)
    paths = ["http://h.example" + _path(rng).replace("*", "x").removesuffix("$") for _ in range(PATHS)]
    allowed, can_fetch = RobotsTxt.parse(body).allowed, Protego.parse(body.decode()).can_fetch
    allowed(AGENT, paths[0])
    can_fetch(paths[0], AGENT)
    report_progress(f"{MANY} rules, {PATHS * TIMES} questions")
    ours = [_seconds(partial(_ask, [(allowed, AGENT, path)], TIMES)) / TIMES for path in paths]
    theirs = [_seconds(partial(_ask, [(can_fetch, path, AGENT)], PEER_TIMES)) / PEER_TIMES for path in paths]
    yield cost_row("robots.match_5000", sum(ours) / PATHS * 1e6, PEER, sum(theirs) / PATHS * 1e6)
    yield cost_row("robots.info.match_5000.slowest", max(ours) * 1e6, PEER, max(theirs) * 1e6)


def _compared(name: str, ours: Callable[[], object], theirs: Callable[[], object], number: int) -> Row:
    """Microseconds for one of so many, in turns, the best round of each."""
    rounds = [(_seconds(ours), _seconds(theirs)) for _ in range(ROUNDS)]
    best, peer = (min(times) / number * 1e6 for times in zip(*rounds, strict=True))
    return cost_row(name, best, PEER, peer)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ask(questions: Sequence[tuple[Callable[[str, str], bool], str, str]], times: int) -> None:
    for _ in range(times):
        for answer, first, second in questions:
            answer(first, second)


def _of_tests() -> Iterator[RobotsQuestion]:
    for body, agent, url, *_ in json.loads((TABLES / "robots_files.json").read_text(encoding="utf-8")):
        yield RobotsQuestion(body.encode(), agent, url)


def _of_shared_data() -> Iterator[RobotsQuestion]:
    for path in sorted(SHARED.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield RobotsQuestion(bytes.fromhex(row["robots_hex"]), row["agent"], row["url"])


def _generated() -> Iterator[RobotsQuestion]:
    rng = random.Random(SEED)
    for _ in range(GENERATED):
        path = _path(rng).replace("*", "x").removesuffix("$")
        yield RobotsQuestion(_file(rng, rng.randint(1, 40)), AGENT, f"http://h.example{path}")


def _file(rng: random.Random, rules: int) -> bytes:
    lines = ["# Who may go where", "User-agent: *", "Crawl-delay: 1"]
    lines += [f"{rng.choice(['Disallow', 'Disallow', 'Allow'])}: {_path(rng)}" for _ in range(rules)]
    return "\n".join([*lines, "", "Sitemap: http://h.example/sitemap.xml", ""]).encode()


def _path(rng: random.Random) -> str:
    folder = f"/{rng.choice(FOLDERS)}/{rng.randrange(1_000)}/"
    return folder + rng.choice(LEAVES[:2] if rng.random() < 0.8 else LEAVES)
