"""What a page says first of what it is about is shown where the page as a whole answers."""

from dataclasses import replace

import pytest

from engine.index.snippets.lead import is_prose
from engine.model.page import Page, Section
from engine.robots import Directives
from tests.engine.index.snippets.test_snippet import FILLER, marked, under

LINES = [
    ("A queue is a list that has two ends.", True, "a sentence"),
    ("git-rebase - Reapply commits on top of another base tip", True, "a manual's NAME, without a full stop"),
    ("If <branch> is given, git rebase switches to <branch> before all else.", True, "with a name or two"),
    ("这个模块提供队列，用于在任务之间交换数据。", True, "Chinese has no spaces"),
    ("این ماژول صف‌هایی برای رشته‌ها فراهم می‌کند و امن است.", True, "Persian"),
    ("यह मॉड्यूल कतारें देता है और सुरक्षित है।", True, "Hindi, whose vowels are no letters"),
    ("L'ensemble des modules qu'il faut, d'après l'auteur, est là.", True, "French has apostrophes"),
    ("git rebase [-i | --interactive] [<options>] [--exec <cmd>] [--root]", False, "a list of options"),
    ("#define SQLITE_INTEGER 1 #define SQLITE_FLOAT 2 #define SQLITE_BLOB 4", False, "code"),
    ("const char *sqlite3_column_decltype(sqlite3_stmt*, int); const void *x(int);", False, "declarations"),
    ("Apache > HTTP Server > Documentation > Version 2 > Modules", False, "a path"),
    ("Available Languages: de | en | es | fr | ja | ko | tr and some more", False, "a menu"),
    ("declaration: package: java.util, class: ArrayList", True, "names alone look like prose"),
    ("Rebasing", False, "a word"),
    ("Read more.", False, "two words"),
    ("The Great Queue of Tasks Explained to Everybody", False, "the title"),
    ("", False, "nothing"),
]


@pytest.mark.parametrize(("line", "is_one", "why"), LINES, ids=[why for *_, why in LINES])
def test_what_prose_is(line: str, is_one: bool, why: str) -> None:
    assert is_prose(line, "The great queue of tasks explained to everybody – Manual") == is_one, why


ABOUT = "A queue is a list that has two ends."
PAGE = Page(
    "http://a.example/",
    "Queue",
    language="en",
    sections=(
        Section("", "", f"Queue\nMenu\n{ABOUT} It is fair.\n{FILLER * 9}"),
        Section("Uses", "uses", f"{FILLER * 9} A queue queues.\nA queue of queues waits. {FILLER * 9}"),
    ),
)
DESCRIBED = replace(PAGE, description="All about queues, in a sentence.")
CASES = [
    (PAGE, "queue", ABOUT, "the first prose, not where the word stands most often"),
    (PAGE, "queues", ABOUT, "in another form"),
    (DESCRIBED, "queue", "All about queues, in a sentence.", "the owner's own words"),
    (replace(PAGE, description="Queue"), "queue", ABOUT, "a description that is no sentence"),
    (PAGE, "queue waits", "A queue queues.", "the title has not all that was asked"),
    (
        PAGE,
        '"queue queues"',
        "A queue queues.",
        "a phrase in quotation marks is looked for itself",
    ),
    (PAGE, "uses", "Nothing of interest", "a section answers"),
    (PAGE, "absent", ABOUT, "no word is there"),
    (replace(DESCRIBED, description="Waiting"), "waiting absent", "A queue of queues", "one word is"),
    (replace(DESCRIBED, description="Zebras"), "zebra", "Zebras", "a word is in the description alone"),
]


@pytest.mark.parametrize(("page", "typed", "beginning", "why"), CASES, ids=[why for *_, why in CASES])
def test_the_lead_of_a_page(page: Page, typed: str, beginning: str, why: str) -> None:
    assert under(page, typed).text.startswith(beginning), why


def test_a_page_without_prose_shows_its_words() -> None:
    code = replace(PAGE, sections=(Section("", "", "x=1 y=2 z=3 " * 9 + "\nqueue=[] heap=[]"),))
    assert marked(under(code, "queue")) == ["queue"]


def test_the_lead_is_no_longer_than_its_owner_permits() -> None:
    limited = replace(DESCRIBED, directives=Directives(max_snippet=9))
    assert under(limited, "queue").text == "All about"
