"""What a host says on all its pages, in a real index: found last, shown nowhere, whatever came before."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.linkgraph import templates
from engine.model.hit import Hit
from engine.model.page import Page
from engine.search.search import SearchService
from engine.text.documents.documents import read_document
from tests.engine.index.source import WORDS, Memory

HOST = "http://shop.example"
MENU = WORDS[:12]
PAGES = 200
COOKIES = "We value your privacy. Accept all cookies, or decide about each of them."
TITLES = ("oven", "chair", "lamp", "spoon", "carpet", "mirror", "kettle", "drawer")


def html(number: int, title: str, text: str) -> Page:
    """A page with a template in plain divs of prose: to a parser, it is a part of the text."""
    menu = "".join(
        f'<div class="m">See all <a href="/shop?c={word}">{word}</a> that we have.</div>' for word in MENU
    )
    body = f"""<html lang="en"><title>{title}</title><body>
        <div>{COOKIES}</div><div><a href="/0">Start</a></div><div>{menu}</div>
        <h1>{title}</h1><div>{text}</div>
        <div>All prices with taxes, shipping at cost.</div><div>Imprint and contact</div></body></html>"""
    return read_document(body.encode(), f"{HOST}/{number}", "text/html; charset=utf-8", ())


def about(word: str, number: int) -> Page:
    """A page about a word of the menu, which it says once, far down in a long text."""
    return html(number, f"Number {number}", f"This {'and that ' * 100}is what {word} means to us.")


def site(count: int = PAGES) -> list[Page]:
    """A page about each word of the menu, among short pages about other things."""
    others = (
        html(number, f"{TITLES[number % 8]} {number}", f"It is nice {number}.") for number in range(count)
    )
    return [*others][: count - len(MENU)] + [about(word, count + at) for at, word in enumerate(MENU)]


def indexed(folder: Path, pages: Sequence[Page]) -> Path:
    Follower(Memory(*pages), folder).catch_up()
    return folder


def hits(data_dir: Path, typed: str, size: int = 100) -> Sequence[Hit]:
    with closing(SearchService(data_dir)) as search:
        return search.search(typed, size=size).hits


def answers(data_dir: Path) -> dict[str, list[tuple[str, float, str]]]:
    """Hits, scores and snippets for words of the template and of the pages."""
    with closing(SearchService(data_dir)) as search:
        found = {word: search.search(word, size=40).hits for word in (*MENU[::5], "imprint", "nice", "lamp")}
    return {word: [(hit.url, hit.score, hit.snippet) for hit in of] for word, of in found.items()}


FEW = site(30)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of a whole site."""
    return indexed(tmp_path_factory.mktemp("shop"), site())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, float, str]]]:
    """What an index answers that was made of a few pages in one go."""
    return answers(indexed(tmp_path_factory.mktemp("whole"), FEW))


@pytest.mark.slow
@pytest.mark.requirement(308)
def test_a_query_for_a_word_of_the_menu_ranks_the_page_that_is_about_it_first(shop: Path) -> None:
    """And finds all the others, the one that all link to among them."""
    for at, word in enumerate(MENU):
        found = hits(shop, word)
        assert found[0].url == f"{HOST}/{PAGES + at}", word
        assert found[0].score > 2 * found[1].score
    with closing(SearchService(shop)) as search:
        assert search.search("amber").total == PAGES


def test_without_templates_it_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test before this one shows is their doing."""
    monkeypatch.setattr(templates, "FEWEST", 10**9)
    indexed(tmp_path, FEW)
    first = [hits(tmp_path, word, size=1)[0].url for word in MENU]
    assert not {page.url for page in FEW[-len(MENU) :]} & set(first)


def test_snippets_show_what_the_page_says_itself(shop: Path) -> None:
    for word in ("cookies", "imprint", "amber", "oven"):
        for hit in hits(shop, word, size=20):
            assert hit.snippet.startswith(("It is nice", "This and that", "…\N{NO-BREAK SPACE}that and")), (
                word
            )


def test_an_unwanted_word_of_the_menu_leaves_out_the_page_that_says_it_itself(shop: Path) -> None:
    with closing(SearchService(shop)) as search:
        assert search.search("cookies -amber").total == PAGES - 1


def test_a_small_site_loses_nothing(tmp_path: Path) -> None:
    indexed(tmp_path, FEW[-5:])
    assert len(hits(tmp_path, "amber")) == 5
    assert hits(tmp_path, '"value your privacy"'), "a phrase is found in the text only"


def test_the_order_of_arrival_does_not_matter(
    tmp_path: Path, whole: dict[str, list[tuple[str, float, str]]]
) -> None:
    follower = Follower(source := Memory(), tmp_path)
    for start in (20, 10, 0):
        for page in reversed(FEW[start : start + 10]):
            source.put(page)
        follower.step()
    follower.catch_up()
    assert answers(tmp_path) == whole


def test_pages_read_again_change_nothing(
    tmp_path: Path, whole: dict[str, list[tuple[str, float, str]]]
) -> None:
    follower = Follower(source := Memory(*FEW), tmp_path)
    for _ in range(2):
        assert follower.catch_up() == len(FEW), "and none of them twice"
        assert answers(tmp_path) == whole
        for page in FEW:
            source.put(page)


@pytest.mark.requirement(293)
def test_a_rebuild_learns_the_same(tmp_path: Path) -> None:
    """After a history in which the template itself has changed."""
    new = [html(number, f"lamp {number}", "New design.") for number in range(9)]
    follower = Follower(source := Memory(), tmp_path / "followed")
    for part in (FEW[:9], FEW[9:], new):
        for page in part:
            source.put(page)
        follower.step()
    for page in FEW[10:14]:
        source.remove(page.url)
    follower.catch_up()
    assert hits(tmp_path / "followed", "lamp 3")[0].snippet == "", "its heading is all that is its own"
    for page in new[4:]:
        source.remove(page.url)
    follower.catch_up()
    assert hits(tmp_path / "followed", "lamp 3")[0].snippet == "New design.", "few pages say so now"
    rebuild_index(source, tmp_path / "rebuilt")
    assert answers(tmp_path / "followed") == answers(tmp_path / "rebuilt")


KILLS = [
    ("engine.linkgraph.sqlite.templates.FileTemplates._learn", 2, "blocks are committed, nothing is learned"),
    ("engine.linkgraph.sqlite.templates.FileTemplates._find_pages_with", 1, "in the midst of learning"),
    (
        "engine.index.indexing.writer.Writer.write",
        2,
        "a template is learned, its pages are not indexed by it",
    ),
    (
        "engine.linkgraph.sqlite.links.FileLinkGraph.mark_fresh",
        3,
        "documents are committed, but count as stale",
    ),
    ("engine.generations.folder.generation.FolderGeneration.mark", 2, "a batch is replayed"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "times", "why"), KILLS, ids=[why for _, _, why in KILLS])
def test_what_stops_between_commits_is_made_up_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    whole: dict[str, list[tuple[str, float, str]]],
    place: str,
    times: int,
    why: str,
) -> None:
    """Nothing is counted twice; at most a batch is indexed twice."""
    with monkeypatch.context() as patched:
        patched.setattr("engine.index.indexing.batches.BATCH_DOCUMENTS", 9)
        stop_at(patched, place, times)
        with pytest.raises(Stopped):
            indexed(tmp_path, FEW)
    assert answers(indexed(tmp_path, FEW)) == whole, why


class Stopped(BaseException):
    """As if the process had ended here."""


def stop_at(patched: pytest.MonkeyPatch, place: str, times: int) -> None:
    """The call of that number ends all."""
    module, owner, name = place.rsplit(".", 2)
    of = getattr(__import__(module, fromlist=[owner]), owner)
    called, calls = getattr(of, name), [0]

    def stopping(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] == times:
            raise Stopped
        return called(*arguments)

    patched.setattr(of, name, stopping)
