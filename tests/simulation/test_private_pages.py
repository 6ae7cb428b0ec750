"""What is not meant for the web is neither looked for nor taken."""

from pathlib import Path

import pytest

from engine.store.suspects import load_suspects
from engine.url import canonicalize
from tests.crawling import HOST, Clock, Web, crawl_of, run

pytestmark = pytest.mark.requirement(283)

FORGOTTEN = ["/.git/config", "/.env", "/dump.sql", "/old/index.php~"]


def test_no_folder_is_guessed(tmp_path: Path) -> None:
    """Asked are links, robots.txt and sitemap.xml; above a page nothing is."""
    deep = f"{HOST}/a/b/c/page.html"
    web, clock = Web({f"{HOST}/": [deep], deep: [f"{HOST}/x/y.html"], f"{HOST}/x/y.html": []}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    known = [f"{HOST}/robots.txt", f"{HOST}/sitemap.xml", f"{HOST}/", deep, f"{HOST}/x/y.html"]
    assert sorted(url for _, url in web.log) == sorted(known)


def test_forgotten_files_are_not_fetched_and_are_reported(tmp_path: Path) -> None:
    """Each in the list of suspects, with the URL that accepting blocks."""
    files: dict[str, int | list[str]] = {f"{HOST}{path}": [] for path in FORGOTTEN}
    web, clock = Web({**files, f"{HOST}/": [*files, f"{HOST}/sql.html"], f"{HOST}/sql.html": []}), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert web.asked() == [f"{HOST}/", f"{HOST}/sql.html"]
    assert crawl.counters.counts["links skipped: sensitive"] == len(FORGOTTEN)
    with crawl.store.engine.connect() as connection:
        suspects = [one.seen for one in load_suspects(connection)]
    crawl.store.close()
    assert {one.rule for one in suspects} == {"sensitive"}
    assert sorted(one.target.text for one in suspects) == sorted(one.example for one in suspects)
    assert sorted(one.example for one in suspects) == sorted(files)


def test_a_url_with_a_password_is_none() -> None:
    """Who writes one into a link has not meant it for us."""
    with pytest.raises(ValueError, match="user name or password"):
        canonicalize("http://me:secret@h.example/")
