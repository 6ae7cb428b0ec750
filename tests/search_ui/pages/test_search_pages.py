"""The pages, parsed as a browser would."""

from dataclasses import replace
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.model.hit import Hit
from engine.model.page import Results
from engine.search import QUERY_SYNTAX
from search_ui.search_request import MAX_TYPED
from tests.search_ui.conftest import PLAIN, Site

SCRIPT = "\"><script>alert(1)</script>'<img src=x onerror=alert(2)>"


def parse(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html)


def first(html: str, selector: str) -> LexborNode:
    """The first such element, which has to be there."""
    found = parse(html).css_first(selector)
    assert found is not None, selector
    return found


def attribute(html: str, selector: str, name: str) -> str | None:
    return first(html, selector).attributes.get(name)


def texts(html: str, selector: str) -> list[str]:
    """What a person reads at each element."""
    return [" ".join(node.text().split()) for node in parse(html).css(selector)]


def seen(html: str, selector: str) -> list[str]:
    """What a person sees at each element: without what is only for those who listen."""
    document = parse(html)
    for node in document.css(".unseen"):
        node.decompose()
    return [" ".join(node.text().split()) for node in document.css(selector)]


def links(html: str, selector: str) -> list[str | None]:
    return [node.attributes["href"] for node in parse(html).css(selector)]


@pytest.mark.requirement(294, 298)
def test_a_hit_shows_what_it_is(site: Site) -> None:
    """Title, URL, abstract, date of the crawl."""
    site.searcher.known["spider"] = [replace(PLAIN, inlinks=1_284)]
    page = site.get("/search?q=spider").text
    assert texts(page, ".hit h2") == ["Page 1"]
    assert links(page, ".hit h2 a") == ["https://docs.example.org/guide/page-1.html"]
    assert texts(page, ".hit .url") == ["docs.example.org › guide › page-1.html"]
    assert texts(page, ".hit .snippet") == ["A spider waits in its burrow."]
    assert texts(page, ".hit mark") == ["spider"]
    facts = ["fetched May 2, 2026", "Linked from 1,284 pages", "Why this result?"]
    assert seen(page, ".hit .about li") == facts
    assert texts(page, ".count") == ["1 result in 12 ms"]
    assert attribute(page, ".hit a", "rel") == "noreferrer"


def test_a_hit_names_its_site_before_its_address(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """As text; the address stays beside it, as anybody may call a site by any name."""
    hit = replace(PLAIN, more_from_host=3)
    found = Results("a", 1, 1, 10, 1.0, [hit], sites={"docs.example.org": SCRIPT})
    monkeypatch.setattr(site.searcher, "search", lambda typed, page, choice: found)
    page = site.get("/search?q=a").text
    assert texts(page, ".hit .url") == [f"{SCRIPT} docs.example.org › guide › page-1.html"]
    assert texts(page, ".facts a") == [f"3 more from {SCRIPT}"]


@pytest.mark.parametrize(
    ("dates", "target", "shown", "why"),
    [
        (["2024-02-29", "2024-03-01"], "", ["Feb 29, 2024", "Mar 1, 2024"], "which is newer"),
        (["2024-02-29", "2024-02-29"], "", [], "what all have tells none apart"),
        (["2024-02-29", "2024-02-29"], "&sort=date", ["Feb 29, 2024"] * 2, "who sorts by it wants to see it"),
        (["2024-02-29", ""], "", ["Feb 29, 2024"], "one says none"),
        (["2024-02-29"], "", ["Feb 29, 2024"], "one alone"),
    ],
)
def test_a_date_is_shown_where_it_tells_something(
    site: Site, dates: list[str], target: str, shown: list[str], why: str
) -> None:
    site.searcher.known["dated"] = [replace(PLAIN, date=date) for date in dates]
    assert texts(site.get(f"/search?q=dated{target}").text, ".lead time") == shown, why


@pytest.mark.requirement(294)
def test_a_hit_opens_at_the_section_that_answers(site: Site) -> None:
    """The heading beside the title, and the link; the address stays the page's."""
    site.searcher.known["spider"] = [replace(PLAIN, section="<Drills> & webs", fragment="a'b%20c")]
    page = site.get("/search?q=spider").text
    assert texts(page, ".hit h2") == ["Page 1 › <Drills> & webs"]
    assert links(page, ".hit h2 a") == [f"{PLAIN.url}#a'b%20c"]


@pytest.mark.requirement(298)
def test_hits_stand_in_the_searchers_order(site: Site) -> None:
    """Score order."""
    page = site.get("/search?q=a&page=2").text
    assert texts(page, ".hit h2") == [f"Page {number}" for number in range(11, 21)]
    assert texts(page, ".count") == ["25 results in 12 ms, page 2 of 3"]
    assert attribute(page, "ol.hits", "start") == "11"


@pytest.mark.requirement(306)
def test_following_next_shows_every_hit_once(site: Site) -> None:
    """Paging without gaps."""
    seen: list[str] = []
    target: str | None = "/search?q=a+b"
    while target:
        page = site.get(target).text
        seen += texts(page, ".hit h2")
        target = next(iter(links(page, "a[rel=next]")), None)
    assert seen == [f"Page {number}" for number in range(1, 26)]
    assert links(page, "a[rel=prev]") == ["/search?q=a+b&page=2"]
    assert texts(page, "[aria-current=page]") == ["3"]


@pytest.mark.requirement(295)
@pytest.mark.parametrize(
    "typed", ["drills", "a b", '"a b" -c', "عنکبوت", "蜘蛛", "zażółć", "a&b=c+d%", SCRIPT]
)
def test_post_and_get_are_the_same(site: Site, typed: str) -> None:
    fields = f"query={quote(typed)}&page=2"
    got = site.get(f"/search?{fields}")
    posted = site.post(fields.encode())
    assert (got.status_code, posted.status_code) == (200, 200)
    assert got.text == posted.text
    assert attribute(got.text, "#q", "value") == typed


@pytest.mark.requirement(298)
@pytest.mark.parametrize(
    ("hit", "where", "shown"),
    [
        (replace(PLAIN, title=SCRIPT), ".hit h2", SCRIPT),
        (replace(PLAIN, snippet=SCRIPT), ".hit .snippet", SCRIPT),
        (replace(PLAIN, url=f"https://a.example/{SCRIPT}"), ".hit h2", "Page 1"),
        (replace(PLAIN, url=SCRIPT), ".hit .url", SCRIPT),
        (replace(PLAIN, language=SCRIPT), ".hit h2", "Page 1"),
        (replace(PLAIN, fetched_at=SCRIPT), ".hit .about ul", "Linked from 3 pagesWhy this result?"),
    ],
)
def test_a_strangers_text_is_text(site: Site, hit: Hit, where: str, shown: str) -> None:
    """Escaped output, in every place where a page's own text is shown."""
    site.searcher.known["hostile"] = [hit]
    page = site.get("/search?q=hostile").text
    assert seen(page, where) == [shown]
    assert texts(page, "script:not([src]), img, [onerror], style, [style]") == []


@pytest.mark.requirement(298)
@pytest.mark.parametrize("target", ["/search?q=", "/api/nothing/", "/nothing/", "/search?q=noted&page="])
def test_what_was_typed_is_text(site: Site, target: str) -> None:
    """A `<script>` query is shown as text."""
    answer = site.get(target + quote(SCRIPT))
    assert "<script>" not in answer.text
    assert "<img" not in answer.text


@pytest.mark.requirement(298)
def test_a_script_query_is_shown_as_typed(site: Site) -> None:
    page = site.get("/search?q=" + quote(SCRIPT)).text
    assert texts(page, "h1") == [f"Results for {SCRIPT}"]
    assert texts(page, "title") == [f"{SCRIPT} – Lycosa"]


def test_an_address_that_is_not_the_webs_is_not_linked(site: Site) -> None:
    site.searcher.known["hostile"] = [replace(PLAIN, url="javascript:alert(1)", title="")]
    page = site.get("/search?q=hostile").text
    assert links(page, ".hit a") == []
    assert texts(page, ".hit h2") == ["javascript:alert(1)"]


def test_half_a_character_is_shown_as_a_question_mark(site: Site) -> None:
    site.searcher.known["half"] = [replace(PLAIN, title="a\ud800b")]
    assert texts(site.get("/search?q=half").text, ".hit h2") == ["a?b"]


@pytest.mark.parametrize(
    ("language", "lang", "direction", "why"),
    [
        ("fa", "fa", "rtl", "Persian"),
        ("en", "en", "auto", "the text itself says"),
        ("", None, "auto", "nobody can tell"),
    ],
)
def test_language_and_direction(
    site: Site, language: str, lang: str | None, direction: str, why: str
) -> None:
    site.searcher.known["words"] = [replace(PLAIN, language=language)]
    shown = first(site.get("/search?q=words").text, ".hit").attributes
    assert (shown.get("lang"), shown["dir"]) == (lang, direction), why


@pytest.mark.parametrize(
    ("typed", "notes", "why"),
    [
        ("a", [], "nothing to say"),
        ("noted", ["No page has all of these words. These have some of them."], "the searcher's note"),
        ("a" * (MAX_TYPED + 1), ["Only the first 1,000 characters were searched for."], "too long"),
    ],
)
def test_notes(site: Site, typed: str, notes: list[str], why: str) -> None:
    assert texts(site.get(f"/search?q={typed}").text, ".note") == notes, why


@pytest.mark.requirement(296)
@pytest.mark.parametrize("target", ["/", "/search?q=nothing"])
def test_the_page_says_what_can_be_typed(site: Site, target: str) -> None:
    assert texts(site.get(target).text, ".ways code") == [typed for typed, _ in QUERY_SYNTAX]


@pytest.mark.parametrize("target", ["/search", "/search?q=", "/search?q=%20%00", "/search?page=3"])
def test_no_words_give_the_box_and_a_hint(site: Site, target: str) -> None:
    answer = site.get(target)
    assert answer.status_code == 200
    assert texts(answer.text, ".hint") == ["Type a word or two to search for."]
    assert attribute(answer.text, "#q", "value") == ""


def test_a_page_past_the_last_leads_back(site: Site) -> None:
    page = site.get("/search?q=a&page=9").text
    assert "These results have no page 9." in page
    assert links(page, "main p a") == ["/search?q=a"]


@pytest.mark.parametrize("target", ["/", "/search?q=a", "/search?q=nothing", "/search?q=missing", "/x"])
def test_every_page_has_its_landmarks(site: Site, target: str) -> None:
    """WCAG 2.2: 1.3.1, 2.4.2, 3.1.1, 3.3.2."""
    page = site.get(target).text
    assert attribute(page, "html", "lang") == "en"
    assert {len(parse(page).css(once)) for once in ("h1", "main", "title")} == {1}
    assert first(page, "label[for=q]").text() == "Search"
    assert attribute(page, "form[role=search] input#q", "name") == "q"


def test_what_a_person_asks_is_remembered_once_what_a_program_asks_is_not(site: Site) -> None:
    site.searcher.remembered.clear()
    person = {"Sec-Fetch-Site": "same-origin"}
    for target in ("/search?q=fern", "/search?q=fern&page=2", "/api/search?q=fern", "/api/suggest?q=fern"):
        assert site.client.get(target, headers=person).status_code == 200
    assert site.searcher.remembered == [("fern", 25)]


@pytest.mark.parametrize(
    ("typed", "headers", "remembered", "why"),
    [
        ("fern", {"Sec-Fetch-Site": "none"}, [25], "typed into the address bar"),
        ("fern", {"Sec-Fetch-Site": "same-site"}, [25], "a form of a neighbour, which embeds the box"),
        ("fern", {"Sec-Fetch-Site": "cross-site"}, [], "a picture in a stranger's page"),
        ("fern", {}, [], "nobody says from where"),
        ("noted", {"Sec-Fetch-Site": "none"}, [], "only some of the words were found"),
        ("nothing", {"Sec-Fetch-Site": "none"}, [0], "nothing was"),
        ("nothing", {}, [], "nothing was, and nobody says from where"),
        ("nothing&type=pdf", {"Sec-Fetch-Site": "none"}, [], "it might be there, as a web page"),
    ],
)
def test_whose_question_is_remembered(
    site: Site, typed: str, headers: dict[str, str], remembered: list[int], why: str
) -> None:
    site.searcher.remembered.clear()
    assert site.client.get(f"/search?q={typed}", headers=headers).status_code == 200
    assert [total for _, total in site.searcher.remembered] == remembered, why
