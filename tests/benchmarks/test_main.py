"""The three commands, whole: on a small generated site, and on real ones where those were fetched."""

import json
import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from benchmarks import query, sites
from benchmarks.__main__ import main
from benchmarks.corpora.queries import KINDS
from benchmarks.crawl import BUDGET
from benchmarks.instruments import apart
from benchmarks.instruments.timeline import ROLES
from benchmarks.peers.contest import list_contestants
from tests.benchmarks.generated import PACKAGE, make_site

PAGES = 30
OURS, *PEERS = list_contestants()
INDEX = {"index.docs", *(f"index.info.{name}" for name in ("cpu_ms", "disk_mb", "peak_mb", "words_mb"))}
QUERY = {
    *INDEX,
    *(f"query.info.{name}" for name in ("parse", "open_ms", "first_ms", "private_mb", "anonymous_mb")),
    *(f"query.{kind}" for kind in KINDS),
    *(
        f"query.info.{kind}.{name}"
        for kind in KINDS
        for name in ("p95", "once", "whole", "whole_p95", "hits")
    ),
}
STATIONS = {f"crawl.info.{station}" for station in BUDGET}
SECONDS = {"crawl.info.start_seconds", "crawl.info.end_seconds"}
CORES = {f"crawl.info.cores.{role}" for role in (*ROLES, "idle")}
CRAWL = {"crawl.pages", "crawl.info.lag", "crawl.info.total_cpu", *SECONDS, *CORES, *STATIONS}

MISSING = [
    (
        ("crawl", "--sites", "{tmp}"),
        "there is no openjdk-17-doc in {tmp}: python -m benchmarks.sites fetch {tmp} openjdk-17-doc",
        "the folder is there, the package is not",
    ),
    (
        ("index", "--sites", "{tmp}/nowhere", "--packages", "git-doc"),
        "there is no git-doc in {tmp}/nowhere: python -m benchmarks.sites fetch {tmp}/nowhere git-doc",
        "no such folder",
    ),
    (
        ("query", "--packages", "git-doc"),
        "apt-get is missing: only Debian and its like can fetch git-doc",
        "no folder is named, and this is no Debian",
    ),
    (
        ("index", "--sites", "{tmp}", "--packages", "empty-doc"),
        "there is no HTML page in {tmp}/empty-doc",
        "a package without pages",
    ),
    (
        ("crawl", "--generated", "1000"),
        "--generated is for index, query and growth, not for crawl",
        "nobody serves what is generated",
    ),
    (
        ("relevance", "--collections", "{tmp}"),
        "there are no judged collections: name a folder of them with --collections",
        "a folder without any",
    ),
    (
        ("ablation",),
        "there are no judged collections: name a folder of them with --collections",
        "no folder",
    ),
]


@pytest.mark.parametrize(("arguments", "words", "why"), MISSING)
def test_missing_sites_are_told_in_one_line(
    arguments: tuple[str, ...],
    words: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty-doc").mkdir()
    monkeypatch.setattr(sites, "FETCHED", tmp_path / "build")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([word.format(tmp=tmp_path) for word in arguments]) == 2, why
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == f"benchmarks: {words.format(tmp=tmp_path)}", why


def test_a_missing_nginx_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_site(tmp_path, 1)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["crawl", "--sites", str(tmp_path), "--packages", PACKAGE]) == 2
    assert "nginx is missing" in capsys.readouterr().err


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few queries, and one life."""
    monkeypatch.setattr(query, "COUNT", 5)
    monkeypatch.setattr(query, "LIVES", 1)


@pytest.fixture
def here(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contestants in this process, and few queries."""
    monkeypatch.setattr(apart, "run_apart", lambda work, *arguments: work(*arguments))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("what", "names"), [("index", INDEX), ("query", QUERY)])
@pytest.mark.long
def test_peers_are_compared_on_the_same_pages(
    what: str, names: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_site(tmp_path, PAGES + 5)
    assert_compared(measured(capsys, what, "--sites", str(tmp_path), "--packages", PACKAGE), names, PEERS)


@pytest.mark.usefixtures("here")
def test_peers_are_compared_within_one_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, PAGES + 5)
    assert_compared(measured(capsys, "query", "--sites", str(tmp_path), "--packages", PACKAGE), QUERY, PEERS)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("what", "names"), [("index", INDEX), ("query", QUERY)])
def test_generated_documents_are_for_the_native_peer_alone(
    what: str, names: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_compared(measured(capsys, what, "--generated", str(PAGES)), names, ["tantivy"])


def assert_compared(rows: list[dict[str, object]], names: set[str], peers: Sequence[str]) -> None:
    """Each figure beside each peer, and all found the same number of documents."""
    assert sorted((row["name"], row["peer"]) for row in rows) == sorted(product(names, peers))
    assert all(isinstance(row["ratio"], float) for row in rows)
    hits = [row for row in rows if str(row["name"]).endswith(".hits")]
    assert [row["ours"] for row in hits] == [row["peer_value"] for row in hits]


def test_relevance_beside_a_peer_that_knows_the_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "de": "Die Häuser der Stadt stehen an den Ufern des Flusses.",
        "th": "แมวกินปลาในบ้าน",
        "pl": "żółw",
    }
    for language, text in texts.items():
        (tmp_path / language).mkdir()
        document = json.dumps({"id": "1", "text": text, "language": language})
        for name, lines in (
            ("docs.jsonl", document),
            ("queries.tsv", f"7\t{text}"),
            ("qrels.tsv", "7\t1\t1"),
        ):
            (tmp_path / language / name).write_text(lines, encoding="utf-8")
    rows = measured(capsys, "relevance", "--collections", str(tmp_path))
    assert [(row["name"], row["ours"], row["peer"], row["peer_value"]) for row in rows] == [
        (f"relevance.{language}", 1.0, "tantivy", 1.0) for language in ("de", "pl", "th")
    ]


def test_the_analysis_beside_its_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, PAGES + 5)
    rows = measured(capsys, "analysis", "--sites", str(tmp_path), "--packages", PACKAGE)
    assert [(row["name"], row["peer"]) for row in rows] == [
        ("analysis.first", "whoosh"),
        ("analysis.again", "whoosh"),
        ("analysis.again", "regex"),
    ]
    assert all(isinstance(row["ratio"], float) for row in rows)


@pytest.mark.nginx
@pytest.mark.long
def test_a_crawl_beside_its_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, PAGES + 5)
    plot = tmp_path / "crawl.svg"
    assert_crawl_rows(
        measured(capsys, "crawl", "--sites", str(tmp_path), "--packages", PACKAGE, "--plot", str(plot))
    )
    assert "crawler, % of a core" in plot.read_text(encoding="utf-8")
    plot.unlink()
    assert [path.name for path in tmp_path.iterdir()] == [PACKAGE], "nothing is left behind"


@pytest.mark.sites
def test_a_crawl_of_a_real_site(capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.environ.get("LYCOSA_SITES")
    if not folder:
        pytest.skip("LYCOSA_SITES names no folder of unpacked packages")
    assert_crawl_rows(measured(capsys, "crawl", "--sites", folder, "--packages", "python3.11-doc"))


def assert_crawl_rows(rows: list[dict[str, object]]) -> None:
    assert CRAWL <= {row["name"] for row in rows} <= {*CRAWL, "crawl.info.wget"}
    peers = [row for row in rows if row["name"] == "crawl.pages"]
    assert peers[0]["peer"] == "scrapy"
    assert all(isinstance(row["ratio"], float) for row in peers)
    budgets = {row["name"]: row["budget"] for row in rows if row["name"] in STATIONS}
    assert budgets == {f"crawl.info.{station}": budget for station, budget in BUDGET.items()}


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main([*arguments, "--pages", str(PAGES)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
