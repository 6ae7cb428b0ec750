"""The twelve tasks: what a person wants, what they type, and which pages are right.

They were chosen before anything was measured, and every contestant is typed the same words.
"""

from typing import NamedTuple


class Right(NamedTuple):
    """A page that answers: its path below the corpus, and the id of the place on it, "" for the page."""

    path: str
    place: str = ""


class Task(NamedTuple):
    """One thing that a person wants, and how they go about it."""

    name: str
    wish: str
    typed: str
    right: tuple[Right, ...]
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
        (Right("manual/library/os.path.html", "os.path.join"),),
    ),
    Task(
        "description",
        "a module by what it does",
        "difference between two text files",
        (Right("manual/library/difflib.html"),),
    ),
    Task(
        "russian",
        "a page in Russian, the words in another form than its own",
        "берестяная грамота",
        (Right("library-ru/beresta.html"),),
        language="ru",
    ),
    Task(
        "misspelled",
        "a section, with a misspelling",
        "threding lock",
        (Right("manual/library/threading.html", "lock-objects"),),
    ),
    Task(
        "section",
        "a section of a long page",
        "aware and naive objects",
        (Right("manual/library/datetime.html", "aware-and-naive-objects"),),
    ),
    Task(
        "phone",
        "a module, on a phone",
        "read csv file",
        (Right("manual/library/csv.html"),),
        on_phone=True,
    ),
    Task(
        "scripts",
        "a page, without JavaScript",
        "virtual environments",
        (Right("manual/library/venv.html"), Right("manual/tutorial/venv.html")),
        with_scripts=False,
    ),
    Task(
        "keyboard",
        "a page, by keyboard alone",
        "logging cookbook",
        (Right("manual/howto/logging-cookbook.html"),),
        by_keyboard=True,
    ),
    Task(
        "sparing",
        "a module, with as little typing as can be",
        "configparser",
        (Right("manual/library/configparser.html"),),
        sparing=True,
    ),
    Task(
        "message",
        "what an error message means",
        '"maximum recursion depth"',
        (Right("manual/library/exceptions.html", "RecursionError"),),
    ),
    Task(
        "variable",
        "an environment variable",
        "PYTHONDONTWRITEBYTECODE",
        (Right("manual/using/cmdline.html", "envvar-PYTHONDONTWRITEBYTECODE"),),
    ),
    Task(
        "part",
        "a section in one part of the site",
        "tutorial inheritance",
        (Right("manual/tutorial/classes.html", "inheritance"),),
    ),
)
