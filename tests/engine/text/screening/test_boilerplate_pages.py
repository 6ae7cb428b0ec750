"""Error pages that call themselves pages: which are flagged, and which only speak of them."""

import pytest

from engine.model.page import Flag, Page, Section
from engine.text.html.markup import read_html
from engine.text.screening.boilerplate_pages import (
    MAX_LISTING,
    MAX_OTHER,
    MAX_SHORT,
    MAX_TITLED,
    BoilerplatePhrases,
)
from engine.text.screening.error_phrases import LINES, SENTENCES, TITLES

URL = "http://h.example/"
EXCUSES = BoilerplatePhrases()
PROSE = "The quick brown fox jumps over the lazy dog. "


def page(text: str, title: str = "") -> Page:
    return Page(URL, title, sections=(Section("", "", text),))


FLAGGED = [
    ("Your browser does not support frames.", "", Flag.UA_ERROR, "requirement 307: en"),
    ("Sorry, but your Browser doesn’t support frames!", "Home", Flag.UA_ERROR, "a curly apostrophe"),
    ("This page uses frames, but your browser cannot show them.", "", Flag.UA_ERROR, "as FrontPage had it"),
    ("Ihr Browser unterstützt keine Frames.", "", Flag.UA_ERROR, "de"),
    ("Votre navigateur ne supporte pas les cadres.", "", Flag.UA_ERROR, "fr"),
    ("Su navegador no soporta marcos.", "", Flag.UA_ERROR, "es"),
    ("Twoja przeglądarka nie obsługuje ramek.", "", Flag.UA_ERROR, "pl"),
    ("Ваш браузер не поддерживает фреймы.", "", Flag.UA_ERROR, "ru"),
    ("مرورگر شما پشتیبانی نمی‌کند", "", Flag.UA_ERROR, "fa, with its joiner"),
    ("مرورگر شما پشتيباني نمي كند", "", Flag.UA_ERROR, "fa, typed with Arabic letters"),
    ("您的浏览器不支持框架。", "", Flag.UA_ERROR, "zh"),
    ("You need to enable JavaScript to run this app.", "App", Flag.UA_ERROR, "an application without server"),
    ("Please enable cookies.\nError 1010", "", Flag.UA_ERROR, "cookies"),
    (
        "Checking your browser before accessing h.example.\nThis process is automatic. Your browser will "
        "redirect to your requested content shortly.\nPlease allow up to 5 seconds…\nRay ID: 6f1b2c3d4e5f",
        "",
        Flag.UA_ERROR,
        "a check before the page",
    ),
    ("Пожалуйста, подтвердите, что вы не робот", "", Flag.UA_ERROR, "a captcha, ru"),
    ("请输入验证码", "", Flag.UA_ERROR, "a captcha, zh"),
    ("Enable it.", "Just a moment...", Flag.UA_ERROR, "by its title"),
    ("Some reason.", "Attention Required! | Cloudflare", Flag.UA_ERROR, "by its title"),
    ("Access Denied\nReference #18.2c4f", "h.example", Flag.DENIED, "the first line"),
    ("Nothing here.", "403 Forbidden", Flag.DENIED, "the title"),
    ("Nothing here.", "Access denied | h.example", Flag.DENIED, "part of the title"),
    ("Your session has expired. Please log in again.", "", Flag.DENIED, "en"),
    ("Sesja wygasła. Zaloguj się ponownie.", "", Flag.DENIED, "pl"),
    ("Время сеанса истекло.", "", Flag.DENIED, "ru"),
    ("Доступ запрещён", "", Flag.DENIED, "ru"),
    ("نشست شما منقضی شده است", "", Flag.DENIED, "fa"),
    ("您没有权限访问此页面", "", Flag.DENIED, "zh"),
    ("h.example\nThis domain is for sale! Buy this domain.", "h.example", Flag.PARKED, "en"),
    ("Diese Domain steht zum Verkauf.", "", Flag.PARKED, "de"),
    ("Ce nom de domaine est à vendre", "", Flag.PARKED, "fr"),
    ("Este dominio está en venta", "", Flag.PARKED, "es"),
    ("Ta domena jest na sprzedaż", "", Flag.PARKED, "pl"),
    ("Домен продаётся", "", Flag.PARKED, "ru"),
    ("این دامنه به فروش می‌رسد", "", Flag.PARKED, "fa"),
    ("该域名可出售", "", Flag.PARKED, "zh"),
    ("It works!", "", Flag.DEFAULT, "Apache's first word"),
    (
        "Welcome to nginx!\nIf you see this page, the nginx web server is successfully installed.",
        "Welcome to nginx!",
        Flag.DEFAULT,
        "nginx",
    ),
    (PROSE * 60, "Apache2 Debian Default Page: It works", Flag.DEFAULT, "a title that only such pages have"),
    ("Index of /old\nName\nLast modified\nSize\nParent Directory\n-", "Index of /old", Flag.DEFAULT, "empty"),
]


@pytest.mark.requirement(85, 307)
@pytest.mark.parametrize(("text", "title", "flag", "why"), FLAGGED)
def test_a_page_that_says_only_why_it_says_nothing(text: str, title: str, flag: Flag, why: str) -> None:
    assert EXCUSES.classify(page(text, title)) is flag, why


PAGES = [
    ("", "", "nothing is said at all"),
    (PROSE, "Foxes", "a short page"),
    ("Your browser does not support frames. " + PROSE * 20, "", "it says much else"),
    (
        "What does “your browser does not support frames” mean? That the page is made of frames.",
        "Questions",
        "the words in quotes: it tells about them",
    ),
    ("To view a film, turn on the sound. " + PROSE * 7, "", "another thing to turn on"),
    ("Thrown when access is denied.", "AccessDeniedException", "a class that is named so"),
    ("Access denied errors are logged with their user. " + PROSE, "Logs", "words in a longer line"),
    (PROSE * 30, "403 Forbidden - HTTP", "a manual of status codes"),
    (PROSE * 130, "Welcome to nginx!", "a whole book under such a title"),
    ("Your domain is for you. Sale ends.", "Domains", "words of it, not the phrase"),
    ("Index of /a\n" + "file.html\n" * 20, "Index of /a", "a folder with files leads somewhere"),
]


@pytest.mark.requirement(85)
@pytest.mark.parametrize(("text", "title", "why"), PAGES)
def test_a_page_that_has_something_to_say(text: str, title: str, why: str) -> None:
    """A manual that documents the phrase is a page."""
    assert EXCUSES.classify(page(text, title)) is None, why


@pytest.mark.requirement(85)
def test_the_limits_are_exact() -> None:
    """The room of an excuse."""
    excuse = "Your browser does not support frames."
    assert EXCUSES.classify(page(f"{excuse} {'x' * MAX_OTHER}"))
    assert not EXCUSES.classify(page(f"{excuse} {'x' * (MAX_OTHER + 1)}"))
    short = "Please enable JavaScript " + "and wait " * 200
    assert EXCUSES.classify(page(short[:MAX_SHORT]))
    assert not EXCUSES.classify(page(short[: MAX_SHORT + 1]))
    listing = "Index of /" + "x" * MAX_LISTING
    assert EXCUSES.classify(page(listing[:MAX_LISTING], "Index of /")) is Flag.DEFAULT
    assert not EXCUSES.classify(page(listing[: MAX_LISTING + 1], "Index of /"))
    title = "Apache2 Debian Default Page: It works"
    assert EXCUSES.classify(page("x" * MAX_TITLED, title))
    assert not EXCUSES.classify(page("x" * (MAX_TITLED + 1), title))


@pytest.mark.requirement(85, 307)
def test_every_phrase_is_found_as_it_is_written() -> None:
    """No phrase that the folding of pages makes unfindable, none twice."""
    for flag, phrases in SENTENCES.items():
        for phrase in phrases:
            assert EXCUSES.classify(page(f"So {phrase} now.")) is flag, phrase
    for flag, lines in LINES.items():
        for line in lines:
            assert EXCUSES.classify(page(f"{line.title()}.\nMore.")) is flag, line
    for flag, titles in TITLES.items():
        for title in titles:
            assert EXCUSES.classify(page(PROSE * 50, title)) is flag, title
    every = [phrase for some in SENTENCES.values() for phrase in some]
    assert len(every) == len(set(every))


@pytest.mark.requirement(85)
def test_the_operator_adds_phrases() -> None:
    """A configurable list."""
    said = page("The  server is\nhaving its TEA break.")
    assert EXCUSES.classify(said) is None
    assert BoilerplatePhrases(["Tea break"]).classify(said) is Flag.UA_ERROR


@pytest.mark.requirement(85)
def test_what_is_said_to_browsers_without_scripts_flags_no_good_page() -> None:
    """NOSCRIPT and NOFRAMES beside a page are not its text."""
    html = b"<p>A short page.<noscript>Please enable JavaScript</noscript><noframes>No frames</noframes>"
    assert EXCUSES.classify(read_html(html, URL, "text/html", [])) is None
    alone = b"<div id=root>Please enable JavaScript</div>"
    assert EXCUSES.classify(read_html(alone, URL, "text/html", [])) is Flag.UA_ERROR
