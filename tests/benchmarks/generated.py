"""A small site in the layout of an unpacked package, so that benchmarks run without Debian's."""

import random
from pathlib import Path

PACKAGE = "tiny-doc"
WORDS = ["spider", "web", "orb", "silk", "thread", "wolf", "meadow", "night", "burrow", "venom", "dew"]


def make_site(folder: Path, pages: int) -> None:
    """So many pages of words drawn with a fixed seed, each linked from a start page."""
    root = folder / PACKAGE / "usr/share/doc"
    root.mkdir(parents=True)
    rng = random.Random(pages)
    names = [f"page{n}.html" for n in range(pages)]
    for name in names:
        text = " ".join(rng.choices(WORDS, k=60))
        (root / name).write_text(_html(name, f"<p>{text} {name}</p>"), encoding="utf-8")
    links = "".join(f'<p><a href="{name}">{name}</a></p>' for name in names)
    (root / "index.html").write_text(_html("Start", links), encoding="utf-8")


def _html(title: str, body: str) -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}"
