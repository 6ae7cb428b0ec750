"""The query of a link in its page's charset: what Chromium asks for when the link is followed."""

import pytest

from engine.text.documents.documents import read_document

QUERIES = [
    ("windows-1251", "тест", "%F2%E5%F1%F2", "an alphabet"),
    ("windows-1251", "Łą", "%26%23321%3B%26%23261%3B", "letters that the charset lacks: their numbers"),
    ("koi8-r", "да&x=é", "%C4%C1&x=%26%23233%3B", "what is ASCII stays"),
    ("koi8-u", "ў", "%AE", "a letter that browsers have there"),
    ("windows-1252", "café €", "caf%E9%20%80", "a blank"),
    ("iso-8859-1", "€", "%80", "which browsers read as windows-1252"),
    ("iso-8859-2", "ą'\"<>", "%B1%27%22%3C%3E", "what a query never holds"),
    ("shift_jis", "表−①髙ｱ¥", "%95\\%81|%87@%FB%FC%B1\\", "second octets that are ASCII stay"),
    ("euc-jp", "①㈱髙", "%AD%A1%AD%EA%FC%E2", "NEC's and IBM's characters"),
    ("iso-2022-jp", "あx", "%1B$B$%22%1B(Bx", "with its switches"),
    ("iso-2022-jp", "é", "%26%23233%3B", "a letter that it lacks"),
    ("gbk", "中€😀", "%D6%D0%80%26%23128512%3B", "GBK has no four octets, and its own euro"),
    ("gb2312", "中", "%D6%D0", "a label of GBK"),
    ("gb18030", "中€😀", "%D6%D0%A2%E3%949%FC6", "GB 18030 has all characters"),
    ("big5", "中十", "%A4%A4%A4Q", "Big5"),
    ("euc-kr", "한글", "%C7%D1%B1%DB", "UHC"),
    ("utf-8", "é", "%C3%A9", "UTF-8"),
    ("utf-16le", "é", "%C3%A9", "UTF-16 asks in UTF-8"),
]  # fmt: skip


def links(html: str, charset: str) -> list[str]:
    codec = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "utf-8"}.get(charset, charset)
    entities = "".join(one if one.isascii() else f"&#{ord(one)};" for one in html)
    body = entities.encode(codec)
    page = read_document(body, "http://h.example/d/", f"text/html; charset={charset}", ())
    return [link.url for link in page.links]


@pytest.mark.parametrize(("charset", "query", "asked", "why"), QUERIES)
def test_a_query_is_in_the_charset_of_its_page(charset: str, query: str, asked: str, why: str) -> None:
    """The path stays UTF-8, as the URL Standard has it."""
    written = query.replace('"', "&quot;")
    found = links(f'<p>Text<a href="/é?q={written}#é">A</a>', charset)
    assert found == [f"http://h.example/%C3%A9?q={asked}"], why


def test_octets_of_the_page_come_back_as_they_were() -> None:
    """A link as its author wrote it, in raw octets."""
    body = "<p>Поиск по всем страницам сайта и каталога<a href='?q=тест'>найти</a>".encode("cp1251")
    page = read_document(body, "http://h.example/s", "text/html; charset=windows-1251", ())
    assert page.links[0].url == "http://h.example/s?q=%F2%E5%F1%F2"


ELSEWHERE = [
    ("<link rel=canonical href='/c?q=т'>", "canonical", "the owner's preferred URL"),
    ("<meta http-equiv=refresh content='0;url=/c?q=т'>", "moved_to", "a refresh"),
]


@pytest.mark.parametrize(("html", "name", "why"), ELSEWHERE)
def test_other_addresses_of_a_page_are_in_its_charset(html: str, name: str, why: str) -> None:
    head = html.replace("т", "&#1090;") + "<p>text"
    page = read_document(head.encode(), "http://h.example/s", "text/html; charset=windows-1251", ())
    assert getattr(page, name) == "http://h.example/c?q=%F2", why
