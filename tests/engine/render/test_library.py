"""Without playwright or Chromium one line says what to install."""

import sys
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.render.library import find_chromium, import_playwright, require_rendering
from tests.running import scrapy


def test_without_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(EngineError, match="run 'make render'"):
        import_playwright()
    with pytest.raises(EngineError, match="playwright"):
        require_rendering()


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_chromium_by_the_names_that_systems_give_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="package chromium"):
        find_chromium()
    program = tmp_path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_chromium() == str(program)


@pytest.mark.parametrize("mode", ["auto", "always"])
def test_a_crawl_that_is_to_render_does_not_begin_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "crawl.toml").write_text(
        f'[[site]]\nseeds = ["http://127.0.0.1:9/"]\nown = true\nrender = "{mode}"\n'
    )
    done = scrapy(tmp_path, "crawl", "web", code=2)
    assert "package chromium" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not done.stdout
