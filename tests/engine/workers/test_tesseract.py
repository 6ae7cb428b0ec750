"""Tesseract, and programs that behave badly in its place."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.errors import EngineError, PageError
from engine.workers import tesseract
from engine.workers.confined_program import MAX_OUTPUT, NO_FENCES
from engine.workers.tesseract import BLANK, Tesseract, choose_languages, find_tesseract

STUB = Tesseract("/nowhere/tesseract", "/nowhere", ("eng",))
CONFINED = "import os, sys\nfrom engine.workers.confined_program import confine_program\n"
ENDLESS = CONFINED + "confine_program('/', '/')\nwhile os.write(1, b'x' * 9_999): pass"


def stand_in(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Python code that is run in place of Tesseract."""
    monkeypatch.setattr(tesseract, "LAUNCHER", (sys.executable, "-c", code))


@pytest.mark.parametrize(
    ("languages", "language", "chosen", "why"),
    [
        (("eng", "deu"), "de", ["deu"], "the document's language is known"),
        (("eng", "chi_sim", "chi_tra"), "zh", ["chi_sim", "chi_tra"], "both scripts of it"),
        (("eng", "deu"), "fr", ("eng", "deu"), "it is none of those that are wanted"),
        (("eng", "deu"), "", ("eng", "deu"), "nobody knows it"),
        (("script/Latin",), "en", ("script/Latin",), "a script has no language"),
    ],
)
def test_languages(languages: Sequence[str], language: str, chosen: Sequence[str], why: str) -> None:
    assert choose_languages(languages, language) == chosen, why


@pytest.mark.parametrize(
    ("code", "kind", "why"),
    [
        ("import time; time.sleep(600)", "OCR took too long", "it hangs"),
        ("while True: pass", "OCR took too long", "it computes for ever"),
        ("import os; os.kill(os.getpid(), 9)", "OCR failed", "it is killed, as for memory"),
        ("import os; os.abort()", "OCR failed", "it crashes"),
        ("raise SystemExit(1)", "OCR failed", "it gives up"),
        (ENDLESS, "OCR failed", "it prints without end"),
    ],
)
def test_a_program_that_fails_costs_the_text(
    monkeypatch: pytest.MonkeyPatch, code: str, kind: str, why: str
) -> None:
    stand_in(monkeypatch, code)
    if "too long" in kind:
        monkeypatch.setattr(tesseract, "MAX_SECONDS", 0.3)
    with pytest.raises(PageError) as raised:
        asyncio.run(STUB.read(BLANK))
    assert raised.value.kind == kind, why


def test_what_it_prints_may_be_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, r"import os; os.write(1, b'\xff\0a' * 9)")
    assert asyncio.run(STUB.read(BLANK)) == "\ufffd\0a" * 9


def test_its_output_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no limit of its process holds."""
    stand_in(monkeypatch, f"import os; os.write(1, b'x' * {2 * MAX_OUTPUT})")
    assert len(asyncio.run(STUB.read(BLANK))) == MAX_OUTPUT


def test_who_stops_waiting_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl that is to end waits for no picture."""
    stand_in(monkeypatch, "import time; time.sleep(600)")
    begun: list[subprocess.Popen[bytes]] = []
    start = Tesseract._start

    def note(*asked: object) -> subprocess.Popen[bytes]:
        begun.append(start(*asked))  # type: ignore[arg-type]
        return begun[-1]

    monkeypatch.setattr(Tesseract, "_start", note)

    async def work() -> None:
        reading = asyncio.ensure_future(STUB.read(BLANK))
        while not begun:
            await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(work())
    assert begun[0].returncode == -9


def test_none_is_looked_for_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert find_tesseract(()) is None


def test_a_machine_without_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError, match=r"apt-get install tesseract-ocr tesseract-ocr-chi-sim\), or take"):
        find_tesseract(("chi_sim",))


@pytest.mark.tesseract
def test_a_language_that_is_not_there() -> None:
    with pytest.raises(EngineError, match=r"no language data for tlh; .*tesseract-ocr-tlh\).*eng"):
        find_tesseract(("tlh", "eng"))


@pytest.mark.tesseract
@pytest.mark.parametrize(
    ("code", "words"), [(NO_FENCES, "Landlock .* or libseccomp2"), (1, r"its sandbox \(OCR failed")]
)
def test_a_machine_on_which_it_cannot_be_confined(
    monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    stand_in(monkeypatch, f"raise SystemExit({code})")
    with pytest.raises(EngineError, match=words):
        find_tesseract(("eng",))


@pytest.mark.tesseract
def test_it_is_found_by_what_it_says_itself() -> None:
    found = find_tesseract(("eng",))
    assert found
    assert found.program == str(Path(shutil.which("tesseract") or "").resolve())
    assert (Path(found.data) / "eng.traineddata").exists()
