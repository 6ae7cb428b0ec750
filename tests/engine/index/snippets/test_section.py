"""The section of a page that answers, and the fragment that leads there."""

from dataclasses import replace

import pytest

from engine.index.query.parser import parse_tree
from engine.index.snippets.matcher import build_matcher
from engine.index.snippets.section import escape_fragment
from engine.index.snippets.snippet import Snippet, make_snippet
from engine.model.page import Page, Section
from engine.model.section_anchor import SectionAnchor
from engine.robots import Directives
from tests.engine.index.snippets.test_snippet import FILLER, stored

LONG = FILLER * 5
SPIDERS = (
    Section("", "", ""),
    Section("Spiders — a guide", "spiders", f"All of them. {LONG}"),
    Section("Webs", "webs", f"A web is a trap. {LONG} It has a hub and a rare spiral. {LONG}"),
    Section("Orb webs", "orb", f"They are round. {LONG}"),
    Section("Drills", "", f"They drill burrows. {LONG}"),
    Section("", "unnamed", f"Nothing but molts. {LONG}"),
    Section("Empty", "empty", ""),
    Section("Burrow's %20 webs", "a b%'ü\"", f"They line them. {LONG}"),
)


PAGE = Page("http://a.example/", "Spiders", language="en", sections=SPIDERS)


def under(typed: str, page: Page = PAGE) -> Snippet:
    return make_snippet(stored(page), build_matcher(parse_tree(typed, ["en"]), frozenset()))


CASES = [
    ("rare spiral", "Webs", "webs", "the section of the best passage"),
    ("orb", "Orb webs", "orb", "only its heading has the word"),
    ("web", "Webs", "webs", "its heading and its text"),
    ("round web", "Orb webs", "orb", "a word of the heading and one of the text"),
    ("spiders", "", "", "the title has it"),
    ("spiders guide", "", "", "the first section"),
    ("round spiders", "Orb webs", "orb", "the title has one of two"),
    ("drill", "Drills", "", "a heading without an id: none of another section"),
    ("molts", "", "unnamed", "an id without a heading"),
    ("empty", "Empty", "empty", "a heading without a text"),
    ("spiral molts", "", "", "spread over two sections"),
    ("line", "Burrow's %20 webs", "a%20b%25'%C3%BC%22", "an id that has to be escaped"),
    ("absent", "", "", "nothing of it is there"),
    ("line -webs", "Burrow's %20 webs", "a%20b%25'%C3%BC%22", "what is not wanted is not sought"),
    ("spiders OR molts", "", "", "one is enough, and the title has it"),
    ('"trap nothing"', "Webs", "webs", "a phrase"),
]


@pytest.mark.parametrize(("typed", "section", "fragment", "why"), CASES, ids=[why for *_, why in CASES])
def test_the_section_that_answers(typed: str, section: str, fragment: str, why: str) -> None:
    found = under(typed)
    assert (found.section, found.fragment) == (section, fragment), why


QUEUES = (
    Section("", "", ""),
    Section("Queues", "queues", f"Queues for tasks. {LONG}"),
    Section("Classes", "classes", f"There are three, see asyncio.Queue.get for one. {LONG}"),
    Section("", "asyncio.Queue", f"class asyncio.Queue(maxsize=0)\nFirst in, first out. {LONG}"),
    Section("", "asyncio.Queue.get", f"coroutine get()\nRemove and return an item. {LONG}"),
    Section("", "asyncio.Queue.put", f"coroutine put(item)\nWait for a free slot. {LONG}"),
    Section("", "asyncio.Queue", f"Not safe for threads. {LONG}"),
    Section("", "asyncio.get", f"asyncio.get()\nAnything else. {LONG}"),
    Section("", "q.open", f"q.open({', '.join(['mode'] * 40)})\nOpen a queue. {LONG}"),
    Section("", "classes", f"And that is about it, see get and put. {LONG}"),
    Section("", "c.PyQueue_New", f"PyObject *PyQueue_New(int size)\nA rare bird. {LONG}"),
    Section("", "opt-q", f"-q, --quick\nBe brief. {LONG}"),
    Section("", "id3", f"1\nSee Knuth. {LONG}"),
    Section("The asyncio.sync module", "module-asyncio.sync", f"Of bells and whistles. {LONG}"),
)
MANUAL = replace(PAGE, title="Queues", sections=QUEUES)
DEFINED = [
    ("asyncio.Queue.get", "asyncio.Queue.get", "asyncio.Queue.get", "by the full name, which its id is"),
    ("asyncio.queue.get()", "asyncio.Queue.get", "asyncio.Queue.get", "however it is typed"),
    ("Queue.put", "asyncio.Queue.put", "asyncio.Queue.put", "by the end of its name"),
    ("asyncio.get", "asyncio.get", "asyncio.get", "not by parts of it that are apart"),
    ("asyncio.Queue", "asyncio.Queue", "asyncio.Queue", "a class, not its methods"),
    ("asyncio.Queue.put slot", "asyncio.Queue.put", "asyncio.Queue.put", "a name and a word"),
    ("free slot", "asyncio.Queue.put", "asyncio.Queue.put", "by what is said of it"),
    ("threads safe", "asyncio.Queue", "asyncio.Queue", "behind its methods the class goes on"),
    ("about it", "Classes", "classes", "and behind the class its section"),
    ("queue open", "q.open", "q.open", "a signature that is no heading"),
    ("PyQueue_New", "c.PyQueue_New", "c.PyQueue_New", "a name of C"),
    ("--quick", "-q, --quick", "opt-q", "an option, whose id is no name"),
    ("knuth", "", "id3", "a footnote has no name"),
    ("whistles", "The asyncio.sync module", "module-asyncio.sync", "an id that has more than the name"),
    ("queues", "", "", "the topic of the page: the page"),
    ("queues for tasks", "", "", "its beginning"),
]


@pytest.mark.parametrize(("typed", "section", "fragment", "why"), DEFINED, ids=[why for *_, why in DEFINED])
def test_a_definition_answers(typed: str, section: str, fragment: str, why: str) -> None:
    found = under(typed, MANUAL)
    assert (found.section, found.fragment) == (section, fragment), why


EXACT = (
    Section("", "", ""),
    Section("queue — Queues", "module-queue", f"The module has queue classes in it. {LONG}"),
    Section("Functions as operators", "table", f"Here open and get of this module stand. {LONG}"),
    Section("", "queue.open", f"queue.open(get)\nOpens. {LONG}"),
    Section("", "queue.Queue", f"class queue.Queue(open)\nOpen, get, put. {LONG}"),
    Section("", "queue.Queue.get", f"get()\nFetch. {LONG}"),
    Section("", "queue.Simple.get", f"get()\nFetch, open, queue. {LONG}"),
    Section("", "module-queue", f"Open and get all of the module. {LONG}"),
    Section("Modules", "queue.modules", f"An error in the module: open. {LONG}"),
    Section("", "queue.Error", f"exception queue.Error\nAll errors. {LONG}"),
)
NAMED_EXACTLY = [
    ("open module queue", "queue.open", "a name, and what kind of thing it is"),
    ("get queue.Queue method", "queue.Queue.get", "its parent in one word"),
    ("Simple.get", "queue.Simple.get", "of two alike the one that was typed"),
    ("Queue class", "queue.Queue", "not its methods"),
    ("Error module", "queue.Error", "the exact form before others of it"),
    ("queue module", "", "the name of the page, with its namespace: the page"),
]


@pytest.mark.parametrize(("typed", "fragment", "why"), NAMED_EXACTLY, ids=[why for *_, why in NAMED_EXACTLY])
def test_an_exact_name_comes_before_what_speaks_of_it(typed: str, fragment: str, why: str) -> None:
    page = replace(PAGE, title="queue — Queues", sections=EXACT)
    assert under(typed, page).fragment == fragment, why


def test_all_of_the_query_as_a_name_comes_before_a_part_of_a_word_of_the_title() -> None:
    sections = (Section("", "", ""), Section("Module", "m", LONG), Section("Alias Directive", "alias", LONG))
    assert under("Alias", replace(PAGE, title="mod_alias", sections=sections)).fragment == "alias"
    assert under("Alias", replace(PAGE, title="The alias", sections=sections)).fragment == ""


HUBS = f"A hub. {LONG}Spiral threads. {LONG}Loom: it drums. {LONG}"
SPIRAL, LOOM = HUBS.index("Spiral"), HUBS.index("Loom")
INSIDE = (
    SectionAnchor(0, "hub"),
    SectionAnchor(SPIRAL, "s1"),
    SectionAnchor(LOOM, "x9"),
    SectionAnchor(LOOM + 1, "web.drum"),
)
PLACES = [
    ("hub", "webs", INSIDE, "webs", "the section's own id where nothing is nearer"),
    ("hub", "", INSIDE, "hub", "at its beginning where it has none"),
    ("threads", "webs", INSIDE, "s1", "the nearest before the passage"),
    ("threads", "", INSIDE, "s1", "for a heading without an id as well"),
    ("hub threads", "webs", INSIDE[2:], "webs", "none behind the passage"),
    ("threads", "", INSIDE[2:], "x9", "if there is no other"),
    ("threads", "", (), "", "never one of another section"),
    ("drum", "webs", INSIDE, "web.drum", "one whose id is a name that was typed"),
    ("loom", "webs", INSIDE[1:3], "x9", "what is defined at one"),
]


@pytest.mark.parametrize(
    ("typed", "own", "anchors", "fragment", "why"), PLACES, ids=[why for *_, why in PLACES]
)
def test_the_nearest_anchor_of_the_section_is_opened(
    typed: str, own: str, anchors: tuple[SectionAnchor, ...], fragment: str, why: str
) -> None:
    others = (
        Section("Before", "before", LONG, (SectionAnchor(9, "other"),)),
        Section("Behind", "behind", LONG),
    )
    sections = (*SPIDERS[:2], others[0], Section("Webs", own, HUBS, anchors), others[1])
    found = under(typed, replace(PAGE, sections=sections))
    assert (found.section, found.fragment) == ("Webs", fragment), why


def test_near_an_anchor_no_text_is_named_in_the_link() -> None:
    text = f"A hub. {LONG * 9}Loom: it drums. {LONG}"
    for anchors, named in (((), True), ((SectionAnchor(text.index("Loom"), "x9"),), False)):
        sections = (*SPIDERS[:2], Section("Webs", "webs", text, anchors), *SPIDERS[3:])
        assert bool(under("drums", replace(PAGE, sections=sections)).text_directive) is named


@pytest.mark.parametrize(("typed", "fragment"), [("hub", ""), ("drums", "x9")])
def test_the_first_section_opens_at_an_anchor_far_below(typed: str, fragment: str) -> None:
    text = f"{HUBS[:LOOM]}{LONG * 3}{HUBS[LOOM:]}"
    first = Section("", "", text, (SectionAnchor(0, "hub"), SectionAnchor(text.index("Loom"), "x9")))
    found = under(typed, replace(PAGE, sections=(first, *SPIDERS[2:4])))
    assert (found.section, found.fragment) == ("", fragment)


def test_a_page_of_a_pdf_begins_with_no_term() -> None:
    pages = (*SPIDERS[:2], Section("", "page=2", f"Arachne 2\nA hub. {LONG}"))
    read = replace(stored(replace(PAGE, sections=pages)), media_type="application/pdf")
    found = make_snippet(read, build_matcher(parse_tree("hub", ["en"]), frozenset()))
    assert (found.section, found.fragment) == ("", "page=2")


FIRST, SECOND = f"It has a hub. {LONG}", f"Hubs are rare. {LONG} A spiral is not. {LONG}"
CHAPTERS = (
    Section("", "page=1", "A cover."),
    Section(
        "Orb webs", "page=2", f"{FIRST}\n{SECOND}\nDrums.", (
            SectionAnchor(len(FIRST) + 1, "page=3"), SectionAnchor(len(FIRST) + len(SECOND) + 2, "page=4")
        )
    ),
    Section("Silk", "page=4", f"Silk is spun. {LONG}", (SectionAnchor(0, "page=5"),)),
)  # fmt: skip
CHAPTER_HITS = [
    ("hub", "Orb webs", "page=2", "where it begins"),
    ("spiral", "Orb webs", "page=3", "the page on which the passage begins"),
    ("drums", "Orb webs", "page=4", "the last"),
    ("spun", "Silk", "page=5", "behind a heading at a page's end"),
    ("page rare", "Orb webs", "page=3", "what a fragment says is no name"),
]


@pytest.mark.parametrize(
    ("typed", "section", "fragment", "why"), CHAPTER_HITS, ids=[why for *_, why in CHAPTER_HITS]
)
def test_a_chapter_of_a_pdf_opens_at_the_page(typed: str, section: str, fragment: str, why: str) -> None:
    read = replace(stored(replace(PAGE, title="A guide", sections=CHAPTERS)), media_type="application/pdf")
    found = make_snippet(read, build_matcher(parse_tree(typed, ["en"]), frozenset()))
    assert (found.section, found.fragment) == (section, fragment), why


def test_a_pdf_of_one_chapter_opens_at_the_page() -> None:
    """However near to its beginning: a cover has few words."""
    chapter = Section("A guide", "page=1", f"A cover.\nA hub. {LONG}", (SectionAnchor(9, "page=2"),))
    read = replace(
        stored(replace(PAGE, title="A guide", sections=(Section("", "page=1", ""), chapter))),
        media_type="application/pdf",
    )
    found = make_snippet(read, build_matcher(parse_tree("hub", ["en"]), frozenset()))
    assert (found.section, found.fragment) == ("", "page=2")


def test_the_passage_stays_in_its_section() -> None:
    found = under("round")
    assert found.text.startswith("They are round. Nothing")
    assert "drill" not in found.text


def test_a_section_of_few_words_is_shown_with_the_next() -> None:
    few = (*SPIDERS[:2], Section("Silk", "silk", "It is strong."), Section("More", "more", LONG))
    found = under("strong", replace(PAGE, sections=few))
    assert (found.section, found.text[:20]) == ("Silk", "It is strong. Nothin")


@pytest.mark.parametrize(
    ("first", "section", "why"),
    [
        (Section("Spiders", "top", "A hub."), "", "under the title it is the page's beginning"),
        (Section("Hubs", "hubs", "A hub."), "", "with nothing before it as well"),
    ],
)
def test_the_first_section_is_the_page(first: Section, section: str, why: str) -> None:
    assert under("hub", replace(PAGE, sections=(SPIDERS[0], first, *SPIDERS[3:]))).section == section, why


def test_a_text_before_the_first_heading_is_the_first_section() -> None:
    sections = (Section("", "", LONG), Section("Hubs", "hubs", "A hub."), *SPIDERS[3:])
    found = under("hub", replace(PAGE, sections=sections))
    assert (found.section, found.fragment) == ("Hubs", "hubs")


def test_a_url_that_has_a_fragment_keeps_it() -> None:
    """As documents of a judged collection have them."""
    assert under("round", replace(PAGE, url="http://a.example/#7")).fragment == ""


@pytest.mark.parametrize(("limit", "section"), [(None, "Orb webs"), (8, "Orb webs"), (7, ""), (0, "")])
def test_the_heading_is_no_longer_than_the_owner_permits(limit: int | None, section: str) -> None:
    """Google's nosnippet and max-snippet; the link leads there all the same."""
    found = under("round", replace(PAGE, directives=Directives(max_snippet=limit)))
    assert (found.section, found.fragment) == (section, "orb")


def test_half_a_character_in_an_id_raises_nothing() -> None:
    assert escape_fragment("a\ud800") == "a?"
