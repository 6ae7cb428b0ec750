"""Languages of OCR in crawl.toml."""

from pathlib import Path

import pytest

from engine.config import load_config
from engine.errors import EngineError


def ocr(folder: Path, text: str) -> tuple[str, ...]:
    (folder / "crawl.toml").write_text(text)
    return load_config({"CRAWL_TOML": str(folder / "crawl.toml"), "DATA_DIR": str(folder)}).ocr


@pytest.mark.parametrize(
    ("text", "languages", "why"),
    [
        ("", (), "off"),
        ("ocr = []", (), "off, in writing"),
        (
            'ocr = ["eng", "chi_sim_vert", "script/Latin"]',
            ("eng", "chi_sim_vert", "script/Latin"),
            "all names",
        ),
    ],
)
def test_languages(tmp_path: Path, text: str, languages: tuple[str, ...], why: str) -> None:
    assert ocr(tmp_path, text) == languages, why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('ocr = ["en"]', "of two letters"),
        ('ocr = ["../../etc/passwd"]', "a path"),
        ('ocr = ["eng+deu"]', "two in one"),
        ('ocr = ["-c"]', "an option"),
        ('ocr = "eng"', "no list"),
        ("ocr = true", "no language"),
    ],
)
def test_what_is_no_language(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(EngineError, match="line 1: ocr"):
        assert not ocr(tmp_path, text), why
