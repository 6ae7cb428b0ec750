"""Titles and descriptions: missing, shared, bounded."""

from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts, pages, urls
from engine.model import Page, Section, State
from engine.ownership import page_texts
from engine.ownership.page_texts import PageTexts, SharedText, load_page_texts
from engine.packing import pack_page
from engine.store import Store

HOST = "https://www.example.org"


def loaded(folder: Path, *rows: Page) -> PageTexts:
    """The report of a folder with these pages, of any host."""
    with closing(Store(folder)) as store, store.engine.begin() as connection:
        for number, page in enumerate(rows, 1):
            host = page.url.rpartition("/")[0]
            known = connection.execute(sa.select(hosts.c.id).where(hosts.c.host == host)).scalar()
            if known is None:
                known = connection.execute(hosts.insert().values(host=host)).inserted_primary_key[0]  # type: ignore[index]
            row = {"id": number, "url": page.url, "host_id": known, "state": State.STORED, "found_at": 0.0}
            connection.execute(urls.insert().values(row))
            packed = pack_page(page)
            content = {"content": packed.content, "language": "en", "media_type": page.media_type}
            connection.execute(
                pages.insert().values(url_id=number, fetched_at=0.0, fingerprint=b"", **content)
            )
        return load_page_texts(connection, HOST)


def page(path: str, title: str = "", description: str = "", host: str = HOST, **more: str) -> Page:
    return Page(f"{host}/{path}", title, description, sections=[Section("", "", "words")], **more)  # type: ignore[arg-type]


@pytest.mark.requirement(318)
def test_what_is_missing_and_what_is_shared(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        page("a", "Shop", "All we sell"),
        page("b", "Shop ", "All  we\nsell"),
        page("c", "Shop", ""),
        page("d", "", "Alone"),
        page("e", " \n", ""),
        page("f", "Alone", "Other"),
        page("g", "", "", media_type="application/pdf"),
        page("h", "Shop", "", host="https://other.example"),
    )
    assert found.titles.missing == [f"{HOST}/d", f"{HOST}/e"]
    assert found.titles.shared == [SharedText("Shop", [f"{HOST}/{name}" for name in "abc"], 3)]
    assert found.descriptions.missing == [f"{HOST}/c", f"{HOST}/e"]
    assert found.descriptions.shared == [SharedText("All we sell", [f"{HOST}/a", f"{HOST}/b"], 2)]
    assert (found.read, found.is_cut) == (6, False)


def test_lists_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_texts, "MAX_PAGES", 9)
    monkeypatch.setattr(page_texts, "MAX_LISTED", 2)
    monkeypatch.setattr(page_texts, "MAX_SHARING", 1)
    many = [page(str(number), f"Title {number % 3}") for number in range(20)]
    found = loaded(tmp_path, *many)
    assert (found.read, found.is_cut) == (9, True)
    assert (len(found.descriptions.missing), found.descriptions.missing_total) == (2, 9)
    assert (len(found.titles.shared), found.titles.shared_total) == (2, 3)
    assert [len(one.urls) for one in found.titles.shared] == [1, 1]
    assert {one.total for one in found.titles.shared} == {3}


def test_a_host_without_pages(tmp_path: Path) -> None:
    assert loaded(tmp_path).read == 0
