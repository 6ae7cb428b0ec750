"""Queries that name one page, and those that do not."""

import pytest

from engine.model.page import Link, Page, Section
from engine.search.search import SearchService
from tests.engine.index.lexicon.opened import Opener
from tests.engine.index.source import Memory

SECTIONS = (
    Section("", "", "amber basil cedar dune ember fern grove heath"),
    Section("Installing", "installing", "words"),
    Section("Using", "using", "words"),
)


def named(url: str, title: str, language: str = "en", links: tuple[Link, ...] = ()) -> Page:
    return Page(url, title=title, language=language, sections=SECTIONS, links=links)


GIT, DOCS, WIKI = "http://git.example/", "https://docs.example.org/", "http://wiki.example/"
PAGES = [
    *(named(f"{GIT}{name}.html", f"{name}(1)") for name in ("git-rebase", "git-branch", "git-show-branch")),
    *(named(f"{DOCS}{name}.html", f"{name} - Amber Server") for name in ("core", "mod_rewrite", "caching")),
    named(f"{DOCS}fr/core.html", "core - Serveur Amber", "fr"),
    named(f"{DOCS}lib/os.path.html", "os.path — Common pathname manipulations - Amber Server"),
    named(f"{DOCS}lib/rules/", "Flags of the engine"),
    named(DOCS, "Welcome to docs.example.org"),
    *(named(f"{WIKI}{number}/intro", "Introduction | Wiki") for number in range(3)),
    named(f"{WIKI}fern", "All about plants", links=(Link(f"{DOCS}lib/rules/", "rules"),)),
    named(f"{WIKI}olive", "Wiki: Olive"),
    named(f"{WIKI}pine", "Wiki: Pine", links=(Link(f"{WIKI}guide/start", "guide"),)),
    named(f"{WIKI}iris", "Wiki: Iris of the olive"),
    named(f"{WIKI}guide/start", "How to begin: guide"),
    named(f"{WIKI}chapter3", "3. What’s new in kelp"),
]


@pytest.fixture(scope="module")
def search(open_search: Opener, tmp_path_factory: pytest.TempPathFactory) -> SearchService:
    return open_search(tmp_path_factory.mktemp("navigational"), Memory(*PAGES))


NAMED = [
    ("git-rebase", f"{GIT}git-rebase.html", "its title, but for what is in brackets"),
    ("git rebase", f"{GIT}git-rebase.html", "with a space for the hyphen"),
    ("GIT REBASE(1)", f"{GIT}git-rebase.html", "the whole title"),
    ("mod rewrite", f"{DOCS}mod_rewrite.html", "without the name of the site"),
    ("core", f"{DOCS}core.html", "which is called alike in another language"),
    ("os.path", f"{DOCS}lib/os.path.html", "what stands before the description, and the path"),
    ("docs.example.org", DOCS, "the front page of a host"),
    ("olive", f"{WIKI}olive", "the name of the site before it"),
    ("guide", f"{WIKI}guide/start", "what stands behind a colon, and what links say"),
    ("what's new in kelp", f"{WIKI}chapter3", "without the number of the chapter"),
    ("rules", f"{DOCS}lib/rules/", "the path, and what links say"),
]


@pytest.mark.parametrize(("typed", "url", "why"), NAMED)
def test_a_query_names_a_page(search: SearchService, typed: str, url: str, why: str) -> None:
    first, *others = search.search(typed, fold=False).hits
    assert first.url == url, why
    assert [(link.title, link.url) for link in first.sitelinks] == [
        ("Installing", f"{url}#installing"),
        ("Using", f"{url}#using"),
    ], why
    assert not any(one.sitelinks for one in others), why


UNNAMED = [
    ("amber", "a word of many pages"),
    ("introduction", "several pages are called so"),
    ("branch", "but a part of the name"),
    ("plants", "no sign but a word of the title"),
    ('"git-rebase"', "quotation marks are for those who search"),
    ("git-rebase OR core", "so are operators"),
    ("core site:docs.example.org", "and filters"),
    ("absent", "nothing is found"),
    ("...", "nothing is typed"),
]


@pytest.mark.parametrize(("typed", "why"), UNNAMED)
def test_a_query_names_no_page(search: SearchService, typed: str, why: str) -> None:
    assert not any(hit.sitelinks for hit in search.search(typed, fold=False).hits), why


def test_sitelinks_stand_on_the_first_page_alone(search: SearchService) -> None:
    assert search.search("core", 1, 1, fold=False).hits[0].sitelinks
    assert not search.search("core", 2, 1, fold=False).hits[0].sitelinks
