"""A cluster suggests what a folder with the same pages does."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.index.cluster_searching import cluster_lexicon, cluster_names
from engine.index.cluster_searching.cluster_lexicon import ClusterLexicon
from engine.index.lexicon.lexicon import Lexicon
from engine.index.lexicon.segment_lexicon import SegmentLexicon
from engine.index.lexicon.vocabulary import read_vocabulary
from engine.index.reader.cache import LRUCache
from engine.index.reader.reader import Reader
from engine.index.schema.names import MAX_FOLDED, fold_whole_name
from engine.index.stored_pages.stored_page import StoredPage
from engine.model.page import Flag, Link, Page, Section
from engine.opensearch.client import open_client
from engine.suggest.completing import complete_query
from engine.suggest.site_names import find_site_names
from engine.url.canonical import authority_of
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.lexicon.opened import open_moment
from tests.engine.index.lexicon.test_vocabulary import distance
from tests.engine.index.source import WORDS, page

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
MAX_CACHED = 10_000_000  # bytes
OTHER_WORDS = [
    *("żółw", "źdźbło", "łąka", "Übung", "Straße", "élan", "naïve", "привет", "ёлка", "中文", "如何", "संस्कृत"),
    *("git-rebase", "mod_rewrite", "std::vector", "asyncio.Queue", "C++", "__init__", "os.path"),
]
SUFFIXES = ["", " — The Herbarium", " | Wiki", " (Amber manual)", " - Äpfel & Birnen"]
LANGUAGES = ["en", "pl", "ru", "de", ""]
LETTERS = "abcż"


def make_pages(count: int) -> list[Page]:
    """Pages of several hosts and languages, which link to each other; some are called alike."""
    dice = random.Random(5)
    words = [*WORDS, *map(str.title, WORDS), *OTHER_WORDS]

    def say(least: int, most: int) -> str:
        return " ".join(dice.choice(words) for _ in range(dice.randint(least, most)))

    hosts = [f"{dice.choice(('http', 'https'))}://site{number}.example" for number in range(12)]
    urls = [f"{dice.choice(hosts)}/{say(1, 1)}/{number}" for number in range(count)]
    urls[: len(hosts)] = [f"{host}/" for host in hosts]

    def make_section() -> Section:
        name = f"{dice.choice(WORDS)}.{dice.choice(WORDS)}"
        return dice.choice(
            [Section(say(1, 3), say(1, 1), say(5, 20)), Section("", name, f"{name}\n{say(3, 9)}")]
        )

    def make_page(url: str) -> Page:
        of_host = hosts.index("/".join(url.split("/")[:3]))
        return Page(
            url,
            title=say(1, 4) + SUFFIXES[of_host % len(SUFFIXES)],
            language=LANGUAGES[of_host % len(LANGUAGES)],
            sections=tuple(make_section() for _ in range(dice.randint(0, 5))),
            links=[Link(dice.choice(urls), say(1, 2)) for _ in range(dice.randint(0, 5))],
        )

    pages = [make_page(url) for url in urls]
    return [*pages[:-3], *(replace(one, flag=Flag.PARKED) for one in pages[-3:])]


class Both(NamedTuple):
    """The lexicons of the same pages in a folder and in a cluster."""

    reader: Reader
    folder: Lexicon
    cluster: Lexicon


def open_both(indexed: Indexed, node: str, index: str, shards: int) -> Iterator[Both]:
    indexed.write(node, index, shards)
    reader = indexed.snapshot.reader
    with closing(indexed.snapshot), open_moment(node, index) as search:
        yield Both(reader, SegmentLexicon(reader), ClusterLexicon(search, index, LRUCache(MAX_CACHED)))


PAGES = make_pages(300)


@pytest.fixture(scope="module", params=[1, 3], ids=["one shard", "three shards"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opensearch_node: str
) -> Iterator[Both]:
    index = f"names{request.param}"
    yield from open_both(
        Indexed(tmp_path_factory.mktemp(index), PAGES), opensearch_node, index, request.param
    )


def test_the_same_is_offered_for_the_first_letters_of_any_word(both: Both) -> None:
    words = sorted({word for one in PAGES for word in one.title.split()})
    begun = sorted({word[:size] for word in words for size in (2, 3, 5, 9)})
    for typed in begun:
        expected = complete_query(both.folder, typed)
        assert complete_query(both.cluster, typed) == expected, typed
    assert len(begun) > 60


def test_the_same_is_offered_for_whole_titles(both: Both) -> None:
    for one in PAGES[::5]:
        assert complete_query(both.cluster, one.title) == complete_query(both.folder, one.title), one.title
        assert len(one.title) < MAX_FOLDED or complete_query(both.folder, one.title) or one.flag


def test_sites_have_the_same_names(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_lexicon, "MAX_HOSTS", 3)
    authorities = [*sorted({authority_of(one.url) for one in PAGES}), "absent.example"]
    named = find_site_names(both.folder, authorities)
    assert find_site_names(both.cluster, authorities) == named
    assert len(named) > len(SUFFIXES)


def test_the_same_pages_are_called_by_what_links_say(both: Both) -> None:
    said = {(link.url, fold_whole_name(link.anchor)) for one in PAGES for link in one.links}
    for url, name in sorted(said)[::4]:
        assert both.cluster.is_called(url, name) == both.folder.is_called(url, name), (url, name)
        assert not both.cluster.is_called(url, f"{name}x")
    assert any(both.folder.is_called(url, name) for url, name in said)
    assert not both.cluster.is_called("http://absent.example/", "amber")


def describe(one: StoredPage) -> tuple[object, ...]:
    return one.title, one.text, one.language, one.fetched_at, one.ids


def test_pages_are_read_as_they_are_stored(both: Both) -> None:
    urls = [one.url for one in PAGES[::20]]
    found = both.cluster.find_pages([*urls, "http://absent.example/"])
    expected = both.folder.find_pages(urls)
    assert {url: describe(one) for url, one in found.items()} == {
        url: describe(one) for url, one in expected.items()
    }
    assert found.keys() == set(urls)
    assert both.cluster.find_pages([]) == {}


def test_forms_are_counted(both: Both) -> None:
    forms = ["amber", "żółw", "ёлка", "absent", "amber"]
    assert both.cluster.count_forms(forms) == both.folder.count_forms(forms)
    assert both.cluster.count_forms([]) == []


HOSTILE = [
    ("*", "every name"),
    (".*", "an expression"),
    ("a*b?", "signs of a pattern"),
    ("amber OR names:*", "a query string"),
    ('"}]},"query":{"match_all":{}}', "JSON"),
    ("[a-z]+ ~2 \\u0061", "more signs"),
    ("amber\x00\x01\x02\t\n", "signs that mean something to us"),
    ("\ud800amb", "half a letter"),
    ("amber" * 2_000, "very much"),
    ("^amb", "the sign before forms"),
]


@pytest.mark.parametrize(("typed", "why"), HOSTILE, ids=[why for _, why in HOSTILE])
def test_what_is_typed_is_nothing_but_text(both: Both, typed: str, why: str) -> None:
    assert complete_query(both.cluster, typed) == complete_query(both.folder, typed), why
    form = typed.encode("utf-8", "replace").decode()
    assert both.cluster.find_similar(form, 2) == both.folder.find_similar(form, 2), why
    assert list(both.cluster.count_forms([form[:200]])) == list(both.folder.count_forms([form[:200]])), why


class Forms(NamedTuple):
    """How many documents have each form, and a lexicon of them."""

    counts: dict[str, int]
    lexicon: Lexicon


@pytest.fixture(scope="module", params=[1, 3], ids=["one shard", "three shards"])
def forms(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opensearch_node: str
) -> Iterator[Forms]:
    dice = random.Random(3)
    texts = [
        " ".join("".join(dice.choices(LETTERS, k=dice.randint(1, 7))) for _ in range(40)) for _ in range(12)
    ]
    index = f"forms{request.param}"
    pages = [page(f"http://a.example/{at}", text) for at, text in enumerate(texts)]
    indexed = Indexed(tmp_path_factory.mktemp(index), pages)
    for both in open_both(indexed, opensearch_node, index, request.param):
        [member] = both.reader.members
        words = read_vocabulary(member.leaf)
        counts = {words.form(at): count for at, count in enumerate(words.counts.tolist())}
        yield Forms(counts, both.cluster)


@given(st.text(f"{LETTERS}d", min_size=1, max_size=8), st.integers(1, 2))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_forms_are_alike_as_the_whole_table_of_distances_says(forms: Forms, form: str, edits: int) -> None:
    near = {other: count for other, count in forms.counts.items() if distance(form, other) <= edits}
    assert forms.lexicon.find_similar(form, edits) == near


def test_forms_of_the_corpus_are_alike(both: Both) -> None:
    for word in ("amebr", "bsil", "ceedar", "dunne", "живет", "żłów", "asyncoi", "gitrebase", "x", "the"):
        for edits in (1, 2):
            assert both.cluster.find_similar(word, edits) == both.folder.find_similar(word, edits), word


def open_few(tmp_path: Path, node: str, pages: list[Page]) -> Iterator[Both]:
    yield from open_both(Indexed(tmp_path, pages), node, f"few-{tmp_path.name}".lower(), 1)


def test_names_behind_one_of_very_many_pages_are_found(
    tmp_path: Path, opensearch_node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_names, "PAGES", 5)
    many = [Page(f"http://a.example/{at}", title="Index") for at in range(40)]
    few = [Page(f"http://b.example/{at}", title=f"Indexing {word}") for at, word in enumerate(WORDS[:4])]
    for both in open_few(tmp_path, opensearch_node, [*many, *few]):
        found = complete_query(both.cluster, "ind")
        assert found == complete_query(both.folder, "ind")
        assert len(found) == 5


def test_the_best_of_very_many_names_are_found(
    tmp_path: Path, opensearch_node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A title before headings, a page with votes before others: wherever they stand."""
    monkeypatch.setattr(cluster_names, "PAGES", 5)
    headed = [
        Page(f"http://a.example/{at:02}", title="Moss", sections=(Section(f"Fern {at:02}", "x", "words"),))
        for at in range(40)
    ]
    titled = [Page(f"http://b.example/{at:02}", title=f"Reed {at:02}") for at in range(40)]
    linking = [Page(f"http://c{at}.example/", links=[Link("http://z.example/2", "")]) for at in range(3)]
    best = [Page("http://z.example/1", title="The ferns"), Page("http://z.example/2", title="Reeds")]
    for both in open_few(tmp_path, opensearch_node, [*headed, *titled, *linking, *best]):
        for typed, first in (("fer", "The ferns"), ("ree", "Reeds")):
            assert complete_query(both.folder, typed)[0].text == first
            assert complete_query(both.cluster, typed)[0].text == first


def test_names_that_begin_alike_for_very_long_are_told_apart(
    tmp_path: Path, opensearch_node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_names, "PAGES", 5)
    long = "fern " * (MAX_FOLDED // 5 + 1)
    pages = [Page(f"http://a.example/{at:02}", title=long + word) for at, word in enumerate(WORDS[:12])]
    for both in open_few(tmp_path, opensearch_node, pages):
        for word in WORDS[:12]:
            found = complete_query(both.cluster, long + word)
            assert found == complete_query(both.folder, long + word)
            assert len(found) == 1


def test_a_moment_keeps_its_names(tmp_path: Path, opensearch_node: str) -> None:
    """Until another is opened: what one remembers is none of the other's."""
    indexed = Indexed(
        tmp_path, [Page("http://a.example/1", title="Fern"), Page("http://a.example/2", title="Ferry")]
    )
    indexed.write(opensearch_node, "kept", 1)
    cache = LRUCache(MAX_CACHED)
    with closing(indexed.snapshot), open_moment(opensearch_node, "kept") as search:
        before = ClusterLexicon(search, "before", cache)
        with open_client(f"opensearch+{opensearch_node}") as client:
            client.delete_by_query(index="kept", body={"query": {"term": {"url": "http://a.example/1"}}})
            client.indices.refresh(index="kept")
        assert [one.text for one in complete_query(before, "fer")] == ["Fern", "Ferry"]
        with open_moment(opensearch_node, "kept") as later:
            after = ClusterLexicon(later, "after", cache)
            assert [one.text for one in complete_query(after, "fer")] == ["Ferry"]
            assert after.find_pages(["http://a.example/1"]) == {}
            assert not after.find_similar("fern", 1)["fern"]
