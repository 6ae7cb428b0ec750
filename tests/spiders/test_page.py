"""What is asked by hand asks nothing that the operator has stopped."""

from pathlib import Path

import pytest

from tests.running import command, run_apart, scrapy
from tests.web.scripted import html, scripted_web


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "says", "why"),
    [
        (("pause", "{host}"), "paused", "its owner has complained"),
        (("remove", "{url}", "--reason", "asked by mail"), "removed", "its owner wants it out"),
        (("remove", "{host}", "--reason", "asked by mail"), "removed", "and all of the host"),
    ],
)
@pytest.mark.parametrize("asked", ["fetch", "parse"])
def test_nothing_is_asked_that_the_operator_has_stopped(
    tmp_path: Path, asked: str, order: tuple[str, ...], says: str, why: str
) -> None:
    """Not even robots.txt; one line says why, and another host is asked as ever."""
    with scripted_web({"/page": html("Page", "words")}) as site, scripted_web({"/": html("A", "b")}) as other:
        toml = (
            f'contact = "a@b.example"\nallow_private = ["127.0.0.1:{site.port}", "127.0.0.1:{other.port}"]\n'
        )
        (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
        url, host = site.url("/page"), site.url("/").rstrip("/")
        scrapy(tmp_path, *(word.format(url=url, host=host) for word in order))
        done = run_apart(command(tmp_path, asked, url))
        assert (done.returncode, site.paths) == (2, []), why
        assert says in done.stderr, why
        assert run_apart(command(tmp_path, asked, other.url("/"))).returncode == 0
