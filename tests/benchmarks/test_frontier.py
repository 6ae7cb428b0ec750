"""The benchmark of the frontier, small; and its plot, which is the proof that a cost does not grow."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.__main__ import main
from benchmarks.instruments.plot import Curve, write_plot

KNOWN = 2_000
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.requirement(14, 24)
@pytest.mark.long
def test_each_size_has_its_figures_and_the_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Time and memory by the number of known URLs."""
    plot = tmp_path / "frontier.svg"
    assert main(["frontier", "--urls", str(KNOWN), "--plot", str(plot)]) == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    figures = {f"frontier.{name}.{KNOWN}" for name in ("claim", "add", "memory")}
    assert set(rows) == figures | {f"frontier.info.{name}.{KNOWN}" for name in ("loaded", "load")}
    assert all(rows[name]["peer"] == "scrapy" and rows[name]["budget"] for name in figures)
    assert all(row["ours"] > 0 for row in rows.values())
    assert len(ElementTree.parse(plot).findall(f"{SVG}polyline")) == 4


@pytest.mark.parametrize(
    ("arguments", "words", "why"),
    [
        (["--urls", "999"], "--urls 999 is too few: name 1000 at least", "a host needs its navigation"),
        (
            ["--plot", "{tmp}/no/plot.svg"],
            "there is no folder {tmp}/no for the plot: make it, or name another",
            "told before ten million URLs are filled in",
        ),
    ],
)
def test_what_cannot_be_measured_is_told(
    arguments: list[str], words: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["frontier", *(word.format(tmp=tmp_path) for word in arguments)]) == 2
    assert capsys.readouterr().err == f"benchmarks: {words.format(tmp=tmp_path)}\n", why


def test_a_flat_curve_is_flat_and_names_are_text(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    curves = [Curve("a < b", [(10, 5), (1_000, 5)]), Curve("rises", [(10, 1), (1_000, 100)], dashed=True)]
    write_plot(path, "T & U", curves)
    root = ElementTree.parse(path).getroot()
    flat, rising = (
        [float(pair.split(",")[1]) for pair in line.attrib["points"].split()]
        for line in root.findall(f"{SVG}polyline")
    )
    assert flat[0] == flat[1]
    assert rising[0] > rising[1], "up is less, in pixels"
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"T & U", "a < b", "rises", "10", "1,000"} <= set(texts)
    assert [bool(line.get("stroke-dasharray")) for line in root.findall(f"{SVG}polyline")] == [False, True]
