"""`scrapy plan`: before a crawl, during it, and what it says of strangers."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.commands.plan import Command
from engine.crawl import Limits
from engine.database import hosts, open_database, write_transaction
from engine.index.indexing.follow import Follower
from engine.plan.forecast import LISTED, WIDTH
from engine.report import format_bytes
from engine.store.page_store import Store
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.running import crawl, here, scrapy
from tests.web.scripted import html, prose, scripted_web

TOML = f"""[[site]]
seeds = ["{HOST}/", "http://new.example/a", "http://new.example/b"]
profile = "brisk"
"""


def do(folder: Path, *words: str) -> int:
    """The command in this process; its exit code."""
    return here(Command(), folder, *words)


def plan(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert do(folder, "--json", *words) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def shown(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert do(folder, *words) == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines() if str(folder) not in line) <= WIDTH
    return text


def begun(folder: Path, pages: int, *links: str) -> None:
    """A crawl that stopped after so many pages; what it stored is in the index."""
    answers: dict[str, int | list[str]] = {f"{HOST}/": list(links)}
    answers |= {link: [] for link in links}
    clock = Clock(time.time() - 60)
    one = crawl_of(folder, clock, Limits(pages=pages), scope="any", own=True)
    run(one, Web(answers), clock)
    one.store.close()
    store = Store(folder)
    Follower(store, folder).catch_up()
    store.close()


def test_before_there_is_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data"
    text = shown(folder, capsys)
    assert text.startswith(f"No crawl has been at {folder} yet,\nand crawl.toml names no sites.\n")
    assert "Usual figures, as nothing is known here yet: bytes of a page" in " ".join(text.split())
    assert not folder.exists(), "looking leaves no traces"


def test_an_empty_folder_stays_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown(tmp_path, capsys)
    assert list(tmp_path.iterdir()) == []


def test_the_seeds_are_known_before_a_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    assert "only the seeds of crawl.toml are known" in shown(tmp_path, capsys)
    made = plan(tmp_path, capsys)
    assert [(one["host"], one["queued"]) for one in made["hosts"]] == [("http://new.example", 2), (HOST, 1)]
    assert {one["pause"] for one in made["hosts"]} == {1.25}
    assert made["assumed"]


def test_seeds_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crawl.toml").write_text('[[site]]\nseeds = ["seeds.txt"]', encoding="utf-8")
    assert "the seeds of crawl.toml are in a file" in shown(tmp_path, capsys)
    begun(tmp_path, 1, f"{HOST}/a")
    assert "so every host counts" in shown(tmp_path, capsys)


@pytest.mark.requirement(270, 272, 274)
@pytest.mark.sqlite
def test_after_a_small_voyage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sixty pages, and what they say of the rest."""
    links = [f"{HOST}/{number}" for number in range(200)]
    begun(tmp_path, 60, *links, *(f"http://h{number}.example/" for number in range(LISTED + 5)))
    (tmp_path / "crawl.toml").write_text(TOML, encoding="utf-8")
    made = plan(tmp_path, capsys)
    assert made["known"]["pages"] == 60
    assert [one["host"] for one in made["hosts"]] == [HOST, "http://new.example"]
    queued = made["hosts"][0]["queued"]
    assert made["remaining"]["queued"] == queued + 2
    assert made["hosts"][0]["seconds"] == round(queued * 1.25)
    assert made["hosts"][0]["tail"]
    assert made["not_in_crawl_toml"]["hosts"] > 0
    disk = made["disk"]
    assert disk["database_at_end"] > disk["database_now"] >= (tmp_path / "crawl.db").stat().st_size
    assert disk["index_at_end"] > disk["index_now"] > 0
    assert not made["assumed"]
    text = shown(tmp_path, capsys)
    assert "to find      unknown until about 200 visits" in text
    assert "that no site in crawl.toml names" in text


def test_more_hosts_than_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun(tmp_path, 1, *(f"http://h{number}.example/" for number in range(LISTED + 5)))
    text = shown(tmp_path, capsys)
    assert text.count("http://h") == LISTED
    assert "and 5 more hosts, which are done sooner" in text
    assert "every host counts, at the pace of strangers" in text


def test_a_strangers_name_gives_no_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal what came from outside is shown, cut, and does nothing."""
    begun(tmp_path, 1, f"http://{'long.' * 30}example/", "http://b.example/")
    database = open_database(tmp_path)
    with write_transaction(database) as connection:
        named = sa.update(hosts).where(hosts.c.host == "http://b.example")
        connection.execute(named.values(host="http://\x1b[2J\u202e"))
    database.dispose()
    text = shown(tmp_path, capsys)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"http://\x1b[2J\u202e" in text
    assert "…" in text
    assert {one["host"] for one in plan(tmp_path, capsys)["hosts"]} >= {"http://\x1b[2J\u202e"}


@pytest.mark.requirement(24)
def test_the_space_of_so_many_urls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """N and a mean length give the bytes of an exact set and of a bit map."""
    words = ("--urls", "500,000,000", "--length", "40")
    made = plan(tmp_path, capsys, *words)["url_set"]
    assert made == {"urls": 500_000_000, "chars": 40, "exact": 20_000_000_000, "bit_map": 898_599_223}
    assert "500,000,000 of 40 characters: 20 GB as text, 899 MB as a bit map" in shown(
        tmp_path, capsys, *words
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--urls", "many"), "--urls many: write a whole number from 1 to"),
        (("--urls", "0"), "--urls 0: write a whole number"),
        (("--length", "-4"), "--length -4: write a whole number"),
        (("--length", "9" * 40), "write a whole number"),
        (("--urls", "٣"), "write a whole number"),
    ],
)
def test_what_is_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    assert do(tmp_path, *words) == 2
    assert says in capsys.readouterr().err


@pytest.mark.sqlite
def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="ascii")
    assert do(file) == 2
    assert "cannot write to the data folder" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.requirement(274)
def test_a_real_crawl(tmp_path: Path) -> None:
    """`-a max_pages` first, then the plan, then the rest; the plan held."""
    pages = {f"/{number}": html(f"Page {number}", prose(f"{number}")) for number in range(30)}
    links = "".join(f'<a href="{path}">{path}</a>' for path in pages)
    with scripted_web({"/": html("Start", links), **pages}) as site:
        crawl(tmp_path, site.url("/"), max_pages="10")
        (tmp_path / "crawl.toml").write_text(f'[[site]]\nseeds = ["{site.url("/")}"]\nown = true')
        made = json.loads(scrapy(tmp_path, "plan", "--json").stdout)
        asked = len(site.log)
        crawl(tmp_path, site.url("/"))
        assert len(site.log) - asked == made["remaining"]["queued"] == 21
    assert made["hosts"][0]["pages"] == 10
    assert made["recent"]["per_second"] > 0
    after = json.loads(scrapy(tmp_path, "plan", "--json").stdout)
    assert (after["known"]["pages"], after["remaining"]["queued"], after["hosts"]) == (31, 0, [])
    assert "remaining    0 queued URLs at 0 hosts, 0 B" in scrapy(tmp_path, "plan").stdout


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (4_100, "4.1 kB"), (999_600, "1.0 MB"), (20e9, "20 GB"), (9.96e6, "10 MB")],
)
def test_bytes_in_words(size: float, words: str) -> None:
    assert format_bytes(size) == words


def test_terabytes_are_the_end() -> None:
    assert format_bytes(35e15) == "35,000.0 TB"
