"""Synonyms and pins: what the operator wrote decides what is found, and what comes first."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.suggest import synonyms
from engine.suggest.pins import MAX_PINS
from tests.engine.index.source import Memory, page

TEXTS = {
    "car": "a car in the rain",
    "automobile": "an automobile in the rain",
    "vehicle": "vehicles in the sun",
    "os": "the os starts",
    "operating": "the operating system starts",
    "apart": "a system operating slowly starts",
    "db": "żółw and e-mail",
    "mail": "electronic mail",
}
LINES = """
# what our people say
car\tautomobile\tvehicle
os\toperating system
"e-mail"\telectronic mail
broken
sun\train
"""


def url(name: str) -> str:
    return f"http://a.example/{name}"


def made(folder: Path, **files: str) -> SearchService:
    Follower(
        Memory(*(page(url(name), text, language="en") for name, text in TEXTS.items())), folder
    ).catch_up()
    for name, text in files.items():
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    return SearchService(folder)


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    with closing(made(tmp_path_factory.mktemp("synonyms"), synonyms=LINES)) as search:
        yield search


def names(search: SearchService, typed: str, page: int = 1, size: int = 10) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in search.search(typed, page, size).hits]


@pytest.mark.parametrize(
    ("typed", "found", "why"),
    [
        ("car", ["car", "automobile", "vehicle"], "the word itself comes first"),
        ("Automobiles", ["automobile", "car", "vehicle"], "in any of its forms; the other way round, too"),
        ("vehicle", ["vehicle", "automobile", "car"], "each side stands for each"),
        ("car rain", ["car", "automobile", "vehicle"], "beside other words; rain is sun, too"),
        ("os", ["os", "operating"], "one word for two, which stand side by side"),
        ("operating system", ["operating", "apart", "os"], "two for one; apart they are found as ever"),
        ("starts operating system", ["operating", "apart", "os"], "words that follow others"),
        ("e-mail", ["db", "mail"], "a compound"),
        ("car OR żółw", ["db", "car", "automobile", "vehicle"], "one of several"),
        ('"the os"', ["os"], "what stands in quotation marks was meant so"),
        ("rain -car", ["automobile", "vehicle"], "what is not wanted is that word alone"),
        ("broken", [], "a line that could not be used"),
        (
            "os żółw car",
            ["os", "operating", "db", "car", "automobile", "vehicle"],
            "where no page has all, any do",
        ),
    ],
)
def test_who_types_one_finds_the_others(
    search: SearchService, typed: str, found: list[str], why: str
) -> None:
    assert sorted(names(search, typed)) == sorted(found), why
    assert names(search, typed)[:1] == found[:1], why


@pytest.mark.parametrize(
    ("line", "sides", "why"),
    [
        ("a\tb", ("a", "b"), "two"),
        ("a  b\t\tc \t", ("a b", "c"), "empty sides and spaces"),
        ("a\ta", None, "the same twice is one"),
        ("a", None, "one"),
        ("\t".join("abcdefghi"), None, "too many"),
    ],
)
def test_sides_of_a_line(line: str, sides: tuple[str, ...] | None, why: str) -> None:
    if sides:
        assert synonyms.parse_line(line) == sides, why
    else:
        with pytest.raises(ValueError, match="a tab, and words that mean the same"):
            synonyms.parse_line(line)


PINS = f"""
starts\t{url("mail")}
starts\t{url("apart")}
Żółw  Rain\t{url("db")}
nowhere\t{url("car")}
gone\t{url("gone")}
rain\tnot a url
rain\thttp://a.example/automobile#top
"""


@pytest.fixture(scope="module")
def pinned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    with closing(made(tmp_path_factory.mktemp("pins"), pins=PINS)) as search:
        yield search


@pytest.mark.parametrize(
    ("typed", "first", "total", "why"),
    [
        ("starts", ["mail", "apart"], 4, "in the order of the lines, whether it has the words or not"),
        ("STARTS ", ["mail", "apart"], 4, "the same query, folded"),
        ("starts system", ["operating"], 2, "another query"),
        ("zolw rain", ["db"], 3, "accents and spaces do not matter; words in order"),
        ("rain zolw", ["automobile", "car", "db"], 3, "the other way round is another query"),
        ("nowhere", ["car"], 1, "no page has the word"),
        ("gone", [], 0, "a page that the index has not"),
        ("rain", ["automobile", "car"], 2, "a fragment is no part of a page's URL; a broken line is skipped"),
    ],
)
def test_the_operators_page_comes_first(
    pinned: SearchService, typed: str, first: list[str], total: int, why: str
) -> None:
    results = pinned.search(typed)
    assert (names(pinned, typed)[: len(first)], results.total) == (first, total), why


@pytest.mark.parametrize(
    ("typed", "name", "says", "why"),
    [
        ("nowhere", "car", "place 1 of 1, pinned there", "it is the only hit, and none by its words"),
        ("starts", "apart", "place 2 of 4, pinned there", "as many as the search finds"),
        ("rain zolw", "db", "place 3 of 3, score ", "nothing is pinned for these words"),
    ],
)
def test_the_account_counts_the_hits_that_the_search_has(
    pinned: SearchService, typed: str, name: str, says: str, why: str
) -> None:
    rank = pinned.explain(url(name), typed)
    assert rank
    assert says in next(rank.lines()), why
    assert rank.total == rank.as_object()["total"] == pinned.search(typed).total, why


def test_a_pinned_hit_is_marked_and_comes_once(pinned: SearchService) -> None:
    hits = pinned.search("starts").hits
    assert [hit.pinned for hit in hits] == [True, True, False, False]
    assert len({hit.url for hit in hits}) == len(hits)
    assert not any(hit.pinned for hit in pinned.search("rain zolw").hits)


@pytest.mark.requirement(306)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_of_hits_have_neither_gaps_nor_repeats(pinned: SearchService, size: int) -> None:
    pages = [name for number in range(1, 6) for name in names(pinned, "starts", number, size)]
    assert pages == names(pinned, "starts")


def test_pins_are_bounded(tmp_path: Path) -> None:
    lines = "".join(f"all\t{url(str(number))}\n" for number in range(MAX_PINS + 5))
    Follower(Memory(*(page(url(str(number))) for number in range(MAX_PINS + 5))), tmp_path).catch_up()
    (tmp_path / "pins.tsv").write_text(lines)
    with closing(SearchService(tmp_path)) as search:
        assert search.search("all").total == MAX_PINS


def test_both_files_are_taken_up_while_the_search_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.suggest.operator_files.CHECK_SECONDS", 0.0)
    with closing(made(tmp_path)) as search:
        assert names(search, "sun") == ["vehicle"]
        (tmp_path / "synonyms.tsv").write_text("sun\tzebra\nsun\tżółw\n", encoding="utf-8")
        assert names(search, "sun") == ["vehicle", "db"]
        (tmp_path / "pins.tsv").write_text(f"sun\t{url('os')}\n")
        assert names(search, "sun") == ["os", "vehicle", "db"]
        (tmp_path / "synonyms.tsv").unlink()
        assert names(search, "sun") == ["os", "vehicle"]
