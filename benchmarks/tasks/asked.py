"""The twelve tasks: what a person wants, what they type, and which pages are right.

They were chosen before anything was measured, and every contestant is typed the same words.
"""

from typing import NamedTuple


class RightPage(NamedTuple):
    """A page that answers: its path below the corpus, and the id of the place on it, "" for the page."""

    path: str
    place: str = ""


class Task(NamedTuple):
    """One thing that a person wants, and how they go about it."""

    name: str
    wish: str
    typed: str
    right: tuple[RightPage, ...]
    language: str = "en"  # of the person, who opens the search page in it where there are several
    on_phone: bool = False
    with_scripts: bool = True
    by_keyboard: bool = False
    sparing: bool = False  # types no more than it takes to see the answer offered


TASKS = (
    Task(
        "name",
        "a function by its name",
        "os.path.join",
        (RightPage("manual/library/os.path.html", "os.path.join"),),
    ),
    Task(
        "description",
        "a module by what it does",
        "difference between two text files",
        (RightPage("manual/library/difflib.html"),),
    ),
    Task(
        "russian",
        "a page in Russian, the words in another form than its own",
        "берестяная грамота",
        (RightPage("library-ru/beresta.html"),),
        language="ru",
    ),
    Task(
        "misspelled",
        "a section, with a misspelling",
        "threding lock",
        (RightPage("manual/library/threading.html", "lock-objects"),),
    ),
    Task(
        "section",
        "a section of a long page",
        "aware and naive objects",
        (RightPage("manual/library/datetime.html", "aware-and-naive-objects"),),
    ),
    Task(
        "phone",
        "a module, on a phone",
        "read csv file",
        (RightPage("manual/library/csv.html"),),
        on_phone=True,
    ),
    Task(
        "scripts",
        "a page, without JavaScript",
        "virtual environments",
        (RightPage("manual/library/venv.html"), RightPage("manual/tutorial/venv.html")),
        with_scripts=False,
    ),
    Task(
        "keyboard",
        "a page, by keyboard alone",
        "logging cookbook",
        (RightPage("manual/howto/logging-cookbook.html"),),
        by_keyboard=True,
    ),
    Task(
        "sparing",
        "a module, with as little typing as can be",
        "configparser",
        (RightPage("manual/library/configparser.html"),),
        sparing=True,
    ),
    Task(
        "message",
        "what an error message means",
        '"maximum recursion depth"',
        (RightPage("manual/library/exceptions.html", "RecursionError"),),
    ),
    Task(
        "variable",
        "an environment variable",
        "PYTHONDONTWRITEBYTECODE",
        (RightPage("manual/using/cmdline.html", "envvar-PYTHONDONTWRITEBYTECODE"),),
    ),
    Task(
        "part",
        "a section in one part of the site",
        "tutorial inheritance",
        (RightPage("manual/tutorial/classes.html", "inheritance"),),
    ),
)
