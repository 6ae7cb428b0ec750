"""The walk, end to end: real commands over the example web, from a URL to a search page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import pytest

from engine.model.hit import HIT_FIELDS
from tests.running import WAIT_SECONDS, ask, crawl, scrapy, serving, status
from tests.web.serve import FriendlyWeb, friendly_web, read_table

RESULT_FIELDS = {"query", "total", "page", "took_ms", "notes", "did_you_mean", "hits", "sites"}
TABLES = Path(__file__).parent.parent / "web"
QUERIES = read_table((TABLES / "queries.tsv").read_text(encoding="utf-8"))
UNSEARCHABLE = read_table((TABLES / "unsearchable.tsv").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Walked:
    """The example web after its crawl, served."""

    web: FriendlyWeb
    data: Path
    summary: str
    address: str


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walked]:
    data = tmp_path_factory.mktemp("walk") / "data"
    with friendly_web() as web:
        summary = crawl(data, *web.seeds)
        with serving(data) as address:
            yield Walked(web, data, summary, address)


@pytest.mark.requirement(291, 297, 299, 300)
@pytest.mark.parametrize(("words", "path"), QUERIES, ids=[words for words, _ in QUERIES])
def test_each_language_finds_the_right_page_first(walked: Walked, words: str, path: str) -> None:
    assert ask(walked.address, words)["hits"][0]["url"] == walked.web.url(path)


@pytest.mark.requirement(104, 198, 200, 201)
@pytest.mark.parametrize(("word", "path", "why"), UNSEARCHABLE, ids=[word for word, _, _ in UNSEARCHABLE])
def test_what_its_owner_keeps_back_is_not_found(walked: Walked, word: str, path: str, why: str) -> None:
    assert ask(walked.address, word)["total"] == 0, why
    if why != "noindex":
        host, _, rest = path.partition("/")
        assert (host, f"/{rest}") not in [(seen.host, seen.path) for seen in walked.web.log]


@pytest.mark.requirement(20, 88, 101, 115)
def test_robots_txt_comes_first_and_once_and_nothing_twice(walked: Walked) -> None:
    for host in walked.web.urls:
        paths = [seen.path for seen in walked.web.log if seen.host == host]
        assert paths[0] == "/robots.txt"
        assert len(paths) == len(set(paths))


@pytest.mark.requirement(66)
def test_we_say_who_we_are(walked: Walked) -> None:
    assert {seen.user_agent.split("/")[0] for seen in walked.web.log} == {"Lycosa"}


@pytest.mark.requirement(17)
def test_summary_and_status_agree(walked: Walked) -> None:
    counts = dict(line.rsplit(maxsplit=1) for line in walked.summary.splitlines())
    census = status(walked.data)
    assert int(counts["stored"]) == int(counts["indexed"]) == census["pages"] == census["indexed"]
    assert (int(counts["duplicates"]), int(counts["noindex"]), int(counts["errors"])) == (3, 2, 1)
    assert (census["queued"], census["hosts"], census["errors"]) == (0, 7, 1)
    assert set(census["languages"]) == {"en", "ru", "pl", "fa", "zh"}
    assert census["media_types"]["text/plain"] == 1
    assert census["last_crawl"]
    assert census["last_rebuild"] is None
    assert census["bytes"] > 50_000


def test_the_api_and_the_command_answer_alike(walked: Walked) -> None:
    api = ask(walked.address, "spider silk", size="5")
    done = scrapy(walked.data, "search", "spider", "silk", "--json", "--size", "5")
    assert done.stdout.count("\n") == 1
    command = json.loads(done.stdout)
    assert set(api) == set(command) == RESULT_FIELDS
    assert api["hits"] == command["hits"]
    assert len(api["hits"]) == 5
    assert set(api["hits"][0]) == {*HIT_FIELDS, "sitelinks"}
    assert api["hits"][0]["fetched_at"].endswith("+00:00")


@pytest.mark.requirement(306)
def test_paging_has_no_gaps(walked: Walked) -> None:
    whole = [hit["url"] for hit in ask(walked.address, "spider", size="100", fold="0")["hits"]]
    paged = [
        hit["url"]
        for page in range(1, len(whole) // 3 + 2)
        for hit in ask(walked.address, "spider", page=str(page), size="3", fold="0")["hits"]
    ]
    assert paged == whole
    scores = [hit["score"] for hit in ask(walked.address, "spider", size="100", fold="0")["hits"]]
    assert all(before >= after for before, after in pairwise(scores))


@pytest.mark.requirement(295, 298)
def test_the_page_shows_what_the_api_finds(walked: Walked) -> None:
    typed = urlencode({"q": "wolf spiders"})
    with urlopen(f"{walked.address}/search?{typed}", timeout=WAIT_SECONDS) as answer:
        got = answer.read().decode()
    with urlopen(f"{walked.address}/search", typed.encode(), timeout=WAIT_SECONDS) as answer:
        posted = answer.read().decode()
    url = walked.web.url("spiders-en/wolf-spiders.html")
    assert f'href="{url}"' in got
    assert f'href="{url}"' in posted
    assert "<mark>" in got


@pytest.mark.requirement(55, 59)
def test_exact_copies_are_one_hit(walked: Walked) -> None:
    hits = ask(walked.address, "orb webs", size="100")["hits"]
    urls = [hit["url"] for hit in hits]
    assert walked.web.url("spiders-en/orb-webs.html") in urls
    copy = walked.web.url("spiders-en/print/orb-webs.html")
    assert copy not in urls
    (hit,) = [hit for hit in hits if hit["url"] == walked.web.url("spiders-en/orb-webs.html")]
    assert (hit["copies"], hit["copy_urls"]) == (1, [copy])


@pytest.mark.requirement(288)
def test_a_rebuilt_index_answers_alike(walked: Walked) -> None:
    """Without the network, from the crawl database."""
    before = {words: ask(walked.address, words)["hits"] for words, _ in QUERIES}
    asked = len(walked.web.log)
    assert "published" in scrapy(walked.data, "rebuild").stdout
    done = {
        words: json.loads(scrapy(walked.data, "search", words, "--json").stdout) for words, _ in QUERIES[:3]
    }
    for words, found in done.items():
        assert found["hits"] == before[words]
    assert len(walked.web.log) == asked
    assert status(walked.data)["last_rebuild"]


@pytest.mark.slow
@pytest.mark.requirement(74)
def test_a_second_crawl_asks_only_whether_anything_changed(walked: Walked) -> None:
    walked.web.log.clear()
    summary = crawl(walked.data, *walked.web.seeds)
    counts = dict(line.rsplit(maxsplit=1) for line in summary.splitlines())
    assert int(counts["stored"]) == 0
    assert int(counts["unchanged"]) == int(counts["indexed"])


def test_nothing_indexed_yet(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as address:
        with (
            pytest.raises(HTTPError) as error,
            urlopen(f"{address}/search?q={quote('паук')}", timeout=WAIT_SECONDS),
        ):
            pass
        assert error.value.code == 503
        assert "scrapy crawl web" in error.value.read().decode()
