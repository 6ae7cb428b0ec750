"""Where hits open: the entries of an index are read as people would type them, and a screen is a screen."""

from pathlib import Path

import pytest

from benchmarks import section_links as room
from benchmarks.instruments.row import Row
from benchmarks.section_links import INDEXES, ManualIndex, Opened, distance, draw_entries, read_index
from benchmarks.sites import Site

PACKAGE = "manual-doc"
INDEX = """
<ul><li><a href="a.html#web">web (in silk)</a>, <a href="b.html#id2">[1]</a>
      <ul><li><a href="a.html#orb.web">(orb attribute)</a></li></ul></li>
    <li>hub <ul><li><a href="b.html#hub">module</a>, <a href="a.html#a%20b">[1]</a></li></ul></li>
    <li><a href="b.html">no place</a></li></ul>
<table><tr><td><a href="a.html#loom">Loom threads</a></td></tr></table><a href="#top">up</a>
<a href="words.html">Glossary</a>
"""
GLOSSARY = "<dl><dt><a id=molt>molt</a> (noun)<dd>a<dt>spin<dd>b</dl>"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A manual with an index."""
    monkeypatch.setattr(room, "INDEXES", {PACKAGE: ManualIndex("index", "index*.html", "words.html")})
    folder = tmp_path / "usr/share/doc"
    folder.mkdir(parents=True)
    for name, html in (("index.html", INDEX), ("words.html", GLOSSARY)):
        (folder / name).write_text(html, encoding="utf-8")
    for name in ("a", "b"):
        ids = ("web", "orb.web", "hub", "a b", "loom", "id2")
        parts = "".join(f"<h2 id='{one}'>{one}</h2><p>{'Much is said here. ' * 60}" for one in ids)
        (folder / f"{name}.html").write_text(f"<title>{name}</title><h1>{name}</h1>{parts}", encoding="utf-8")
    return Site(PACKAGE, tmp_path)


@pytest.mark.usefixtures("site")
def test_an_entry_is_what_its_lines_say_together(site: Site) -> None:
    assert read_index(site) == {
        "web in silk": {"a.html": {"web"}, "b.html": {"id2"}},
        "web orb attribute": {"a.html": {"orb.web"}},
        "hub module": {"b.html": {"hub"}, "a.html": {"a b"}},
        "Loom threads": {"a.html": {"loom"}},
        "molt noun": {"words.html": {"molt"}},
    }


def test_the_same_entries_are_drawn_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ENTRIES", 3)
    entries = {str(number): {"a": frozenset("x")} for number in range(9)}
    assert len(draw_entries(entries)) == 3
    assert draw_entries(entries) == draw_entries(dict(reversed(entries.items())))


TOPS = {("u", ""): 0.0, ("u", "a"): 100.0, ("u", "b"): 950.0, ("u", "c"): 2_000.0}
DISTANCES = [
    ("a", "a", 0, "the place itself"),
    ("a", "b", 850, "below it"),
    ("b", "a", 850, "above it"),
    ("", "a", 100, "the page from its top"),
    ("b", "ac", 850, "the nearer of two"),
    ("a", "bz", 850, "one that is not there is no place"),
    ("z", "a", float("inf"), "a link to nothing"),
]


@pytest.mark.parametrize(("opened", "wanted", "pixels", "why"), DISTANCES, ids=[why for *_, why in DISTANCES])
def test_a_distance_is_that_of_the_nearest_place(opened: str, wanted: str, pixels: float, why: str) -> None:
    assert distance(Opened("u", "typed", opened, frozenset(wanted)), TOPS) == pixels, why


def test_each_index_is_known_by_a_package() -> None:
    assert set(room.PACKAGES) <= set(INDEXES)


@pytest.mark.chromium
@pytest.mark.nginx
@pytest.mark.long
def test_a_site_is_measured_in_a_browser(site: Site) -> None:
    rows = list(room.rows([site]))
    assert [row.name for row in rows] == [
        f"sections.{PACKAGE}",
        f"sections.info.{PACKAGE}.exact",
        f"sections.info.{PACKAGE}.entries",
    ]
    assert rows[0] == Row(f"sections.{PACKAGE}", 1.0)
    assert rows[2].ours > 2
