"""Pages speak the reader's language."""

from urllib.parse import quote

import pytest

from search_ui.rendering.translations import LANGUAGES
from tests.search_ui.conftest import CRAWL, Site
from tests.search_ui.pages.test_search_pages import attribute, links, texts

KINDS = ["/", "/search?q=a", "/search?q=nothing", "/search?q=missing", "/submit", "/robot", "/embed", "/x"]


def shown(site: Site, target: str, **headers: str) -> str | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return attribute(site.client.get(target, headers=named).text, "html", "lang")


@pytest.mark.parametrize(
    ("header", "language", "why"),
    [
        ("", "en", "nothing said"),
        ("pl", "pl", "one"),
        ("pl-PL,pl;q=0.9,en;q=0.8", "pl", "as browsers write it"),
        ("de, fr;q=0.9, ru;q=0.3", "ru", "the only one that we speak"),
        ("en;q=0.4, fa ; q=0.9", "fa", "weights, and spaces around them"),
        ("zh-Hant-TW", "zh", "the language counts, not the script"),
        ("ZH", "zh", "letters large or small"),
        ("pl;q=0, *", "en", "unwanted; a star is no language"),
        ("ru, pl", "ru", "of equals the first"),
        ("pl;q=2", "en", "no weight"),
        ("pl;q=0.5;x=1, ru;q=0.1", "ru", "what is no range is nothing"),
        ("," * 5_000 + "pl", "en", "longer than is read"),
        ("p" * 9_000, "en", "no language"),
        ("pl;q=" + "9" * 400, "en", "no number that could be one"),
    ],
)
def test_the_browser_says_which_language(site: Site, header: str, language: str, why: str) -> None:
    assert shown(site, "/", Accept_Language=header) == language, why


@pytest.mark.parametrize(
    ("query", "cookie", "accepted", "language", "why"),
    [
        ("?hl=fa", "hl=pl", "ru", "fa", "the address comes first"),
        ("", "hl=pl", "ru", "pl", "then what was chosen"),
        ("", "", "ru", "ru", "then what the browser wants"),
        ("?hl=xx", "hl=yy", "ru", "ru", "what we do not speak counts for nothing"),
        ("?hl=zh-CN", "", "", "zh", "a longer tag"),
        ("?hl=../../etc", "hl=%00", "", "en", "no path to anything"),
        ("?" + "a=b&" * 40 + "hl=pl", "", "ru", "ru", "a query that is refused"),
    ],
)
def test_what_counts(site: Site, query: str, cookie: str, accepted: str, language: str, why: str) -> None:
    answer = site.client.get(f"/{query}", headers={"Cookie": cookie, "Accept-Language": accepted})
    assert attribute(answer.text, "html", "lang") == language, why


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", KINDS)
def test_a_page_says_which_language_it_is_in(site: Site, target: str, language: str) -> None:
    site.crawl = CRAWL
    answer = site.client.get(target, headers={"Accept-Language": language})
    assert attribute(answer.text, "html", "lang") == answer.headers["Content-Language"] == language
    assert attribute(answer.text, "html", "dir") == ("rtl" if language == "fa" else "ltr")
    assert answer.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
    assert "Set-Cookie" not in answer.headers


def test_results_in_each_language(site: Site) -> None:
    said = {one: texts(site.get(f"/search?q=a&hl={one}").text, ".count")[0] for one in LANGUAGES}
    assert said == {
        "en": "25 results in 12 ms, page 1 of 3",
        "fa": "۲۵ نتیجه در ۱۲ میلی\u200cثانیه، صفحهٔ ۱ از ۳",
        "pl": "25 wyników w 12 ms, strona 1 z 3",
        "ru": "25 результатов за 12 мс, страница 1 из 3",
        "zh": "25 条结果，用时 12毫秒，第 1 页，共 3 页",
    }


@pytest.mark.parametrize(
    ("count", "said", "why"),
    [(1, "1 wynik w 12 ms", "one"), (2, "2 wyniki w 12 ms", "few"), (5, "5 wyników w 12 ms", "many")],
)
def test_words_go_with_numbers(site: Site, count: int, said: str, why: str) -> None:
    site.searcher.known["few"] = site.searcher.search("a").hits[:count]
    assert texts(site.get("/search?q=few&hl=pl").text, ".count") == [said], why


@pytest.mark.parametrize(
    ("target", "address", "why"),
    [
        ("/", "?hl=ru", "nothing to keep"),
        ("/search?q=a+b&page=2&lang=en", "?q=a+b&lang=en&page=2&hl=ru", "the question, its choice, its page"),
        ("/search?q=a&hl=pl", "?q=a&hl=ru", "one language is enough"),
        (
            "/text?url=https%3A%2F%2Fa.example%2F&q=a",
            "?url=https%3A%2F%2Fa.example%2F&q=a&hl=ru",
            "a page of a hit",
        ),
        ("//evil.example/", "?hl=ru", "never to another host"),
    ],
)
def test_the_switch_keeps_what_was_asked(site: Site, target: str, address: str, why: str) -> None:
    page = site.client.get(f"{site.address}{target}").text
    assert address in links(page, ".languages a"), why


def test_the_switch(site: Site) -> None:
    """Its languages call themselves by their own names; the choice is kept until another is made."""
    page = site.get("/search?q=a&hl=pl")
    assert texts(page.text, ".languages li") == list(LANGUAGES.values())
    assert texts(page.text, ".languages [aria-current=true]") == ["Polski"]
    assert attribute(page.text, ".languages a[hreflang=fa]", "lang") == "fa"
    cookie = "hl=pl; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"
    assert page.headers["Set-Cookie"] == cookie
    site.client.cookies.clear()


def test_programs_are_answered_in_english(site: Site) -> None:
    answer = site.client.get("/api/search?q=noted&hl=pl", headers={"Accept-Language": "ru"})
    assert answer.json()["notes"][0]["text"].startswith("No page has all")
    assert not {"Set-Cookie", "Content-Language"} & set(answer.headers)
    refused = site.client.get("/api/search?q=a&page=0", headers={"Accept-Language": "ru"})
    assert refused.json()["detail"] == "“page” must be a whole number from 1 to 100."


@pytest.mark.parametrize("typed", ["%(x)s", "{0}", "100 %", "<b>&", "{{ 7*7 }}"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_typed_stays_so_in_every_language(site: Site, language: str, typed: str) -> None:
    page = site.get(f"/search?q={quote(typed)}&hl={language}").text
    assert texts(page, "h1 bdi") == [typed]
    site.client.cookies.clear()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("target", ["/robot", "/robot/check", "/embed"])
def test_who_writes_pages_reads_of_it_in_their_language(site: Site, target: str, language: str) -> None:
    """No sentence is left in English; what is copied is the same, but for the words that people then read."""
    ours, english = (site.get(f"{target}?hl={one}").text for one in (language, "en"))
    read = "main :is(h1, h2, h3, p, li, label, dd:not(:has(code, bdi)))"
    assert not set(texts(ours, read)) & (set(texts(english, read)) - {"robots.txt"})
    assert len(texts(ours, read)) == len(texts(english, read)) > 3
    if target == "/robot":
        assert texts(ours, "pre") == texts(english, "pre")
