"""Packages of every office format that are broken, and such as were made to stop their reader."""

import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PageError
from engine.formats import FORMATS
from engine.model.page import Page
from engine.text.documents.documents import read_document
from engine.text.documents.media_type import sniff_media_type
from engine.text.documents.package import MAX_ENTRIES
from tests.office import MAIN_PARTS, SENTENCE, Parts, office_files, small_documents
from tests.papers import package

TYPES = {one.name: one.media_types[0] for one in FORMATS}
NAMES = sorted(MAIN_PARTS)
ODF = ("odp", "ods", "odt")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
FILE = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>'
NET = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><x/>'


def read(name: str, body: bytes) -> Page:
    return read_document(body, f"http://h.example/a.{name}", TYPES[name], [])


@pytest.mark.parametrize("name", [*NAMES, "rtf"])
def test_a_document_is_read_whatever_its_server_calls_it(name: str) -> None:
    body = office_files()[name]
    assert SENTENCE in read(name, body).text
    for content_type in ("application/octet-stream", "", "text/plain"):
        assert sniff_media_type(content_type, body) == TYPES[name]


def test_a_package_that_begins_like_a_document_need_be_none() -> None:
    body = package({"[Content_Types].xml": "<Types/>", "visio/document.xml": "<x/>"})
    assert sniff_media_type("", body) == "application/octet-stream"
    whole = office_files()["pptx"]
    assert sniff_media_type("", whole[:-200]) in TYPES.values(), "one of them, of which only a part has come"


def test_a_document_of_another_format_has_the_wrong_type() -> None:
    for name in NAMES:
        for other in NAMES:
            if name != other:
                with pytest.raises(PageError) as error:
                    read(name, office_files()[other])
                assert error.value.kind == ("type" if (name in ODF) == (other in ODF) else "broken")


def changed(name: str, content: str | bytes) -> bytes:
    return package({**small_documents()[name], MAIN_PARTS[name]: content})


def around(name: str, before: str) -> bytes:
    """Something before the sentence."""
    return changed(name, str(small_documents()[name][MAIN_PARTS[name]]).replace(SENTENCE, before + SENTENCE))


def without(name: str, part: str) -> Parts:
    return {key: text for key, text in small_documents()[name].items() if key != part}


def flagged(body: bytes) -> bytes:
    """The flag of encryption on every entry."""
    return body.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")


BROKEN: list[tuple[Callable[[str], bytes], str, str]] = [
    (lambda _: b"", "broken", "nothing"),
    (lambda _: b"PK\x03\x04 and nothing", "broken", "no zip"),
    (lambda name: office_files()[name][:-90], "broken", "its end is missing"),
    (lambda name: office_files()[name][:200], "broken", "its beginning alone"),
    (lambda name: package(without(name, MAIN_PARTS[name])), "broken", "no text in it"),
    (lambda name: changed(name, "<x"), "broken", "no XML"),
    (lambda name: changed(name, b"\xff\xfe\xff"), "broken", "no characters"),
    (lambda name: changed(name, ""), "broken", "an empty part"),
    (lambda name: package(small_documents()[name], zipfile.ZIP_BZIP2), "broken", "packed as nobody does"),
    (lambda name: flagged(office_files()[name]), "encrypted", "zip's own encryption"),
    (lambda _: OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted", "a password of Office's"),
    (lambda _: OLE + b"Workbook", "broken", "an old document under a new name"),
    # and such as were made to stop their reader
    (lambda name: changed(name, f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]><x>&l11;</x>'), "broken", "laughs"),
    (lambda name: changed(name, FILE), "broken", "an entity that is a file"),
    (lambda name: changed(name, NET), "broken", "a document type elsewhere"),
    (lambda name: around(name, "<x>" * 1_000), "broken", "elements in elements"),
    (lambda name: around(name, "<x y='" + "z" * 3_000_000), "", "an attribute without end"),
    (lambda name: around(name, "".join(f"<x{n}/>" for n in range(9_999))), "broken", "names without end"),
    (lambda name: changed(name, b" " * 60_000_000), "too large", "60 MB of blanks"),
    (
        lambda name: package({**small_documents()[name], **{f"{n}": b"" for n in range(MAX_ENTRIES + 1)}}),
        "too large",
        "entries without end",
    ),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("make", "kind", "why"), BROKEN, ids=[why for _, _, why in BROKEN])
def test_what_cannot_be_read(make: Callable[[str], bytes], kind: str, why: str, name: str) -> None:
    with pytest.raises(PageError) as error:
        read(name, make(name))
    assert error.value.kind == kind or not kind, why


HARMLESS: list[tuple[str, str | bytes, str]] = [
    ("docProps/core.xml", "<broken", "broken properties"),
    ("meta.xml", FILE, "properties with an entity"),
    ("styles.xml", "<x", "broken styles"),
    ("xl/styles.xml", FILE, "styles with an entity"),
    ("ppt/slides/_rels/slide1.xml.rels", "<x", "broken relations"),
    ("media/picture.png", b" " * 50_000_000, "a bomb in a part that nobody reads"),
    ("inside.docx", b"PK\x03\x04", "a package in it, which is not followed"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("part", "content", "why"), HARMLESS, ids=[why for _, _, why in HARMLESS])
def test_what_does_no_harm(part: str, content: str | bytes, why: str, name: str) -> None:
    assert SENTENCE in read(name, package({**small_documents()[name], part: content})).text, why


@pytest.mark.parametrize("name", [*NAMES, "rtf"])
@given(noise=st.binary(max_size=60), at=st.integers(0, 4_000))
def test_damaged_documents_are_read_or_refused(name: str, noise: bytes, at: int) -> None:
    whole = office_files()[name]
    at %= len(whole)
    with suppress(PageError):
        read(name, whole[:at] + noise + whole[at + len(noise) :])


@pytest.mark.parametrize("name", NAMES)
@given(cuts=st.lists(st.tuples(st.integers(0, 9_999), st.integers(0, 9_999)), min_size=1, max_size=4))
def test_shuffled_elements_are_read_or_refused(name: str, cuts: list[tuple[int, int]]) -> None:
    """Their main part, in which pieces have changed places, as XML that is well-formed or not."""
    text = str(small_documents()[name][MAIN_PARTS[name]])
    tags = text.replace("<", "\0<").split("\0")
    for one, other in cuts:
        one, other = one % len(tags), other % len(tags)
        tags[one], tags[other] = tags[other], tags[one]
    with suppress(PageError):
        read(name, changed(name, "".join(tags)))


@settings(max_examples=30)
@given(st.binary(max_size=300), st.sampled_from([*NAMES, "rtf"]))
def test_any_octets_are_read_or_refused(body: bytes, name: str) -> None:
    with suppress(PageError):
        read(name, body)
