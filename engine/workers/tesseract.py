"""Reads the text in a picture by Tesseract, where the operator has installed it and switched it on.

Each picture has a process of its own, confined before Tesseract begins (engine.workers.confined_program):
one that hangs, dies or prints nonsense costs the text of its page.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from babel.core import get_global

from engine.errors import EngineError, PageError
from engine.workers.confined_program import MAX_OUTPUT, NO_FENCES
from engine.workers.sandbox import clean_environment

LAUNCHER = (sys.executable, "-m", "engine.workers.confined_program")
MAX_SECONDS = 120.0  # by the clock, for a picture: others go first; by the processor's, a fourth of it
LOOK = 0.02  # seconds between looks whether it has ended
BLANK = b"P5\n32 32\n255\n" + b"\xff" * 32 * 32  # a picture of nothing, by which it is tried
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}  # more of them are no faster, and it may start none
_FOLDER = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Tesseract:
    """An installed Tesseract: the program, the folder of its language data, the languages to be read."""

    program: str
    data: str
    languages: Sequence[str]  # as Tesseract names them

    async def read(self, picture: bytes, language: str = "") -> str:
        """Reads a picture, in the language (ISO 639-1) of its document, or in any of them.

        Raises PageError when Tesseract fails at it or takes too long.
        """
        with _memory_file(picture) as given, _memory_file() as printed:
            process = self._start(given, printed, choose_languages(self.languages, language))
            try:
                async with asyncio.timeout(MAX_SECONDS):
                    while process.poll() is None:
                        await asyncio.sleep(LOOK)
            except TimeoutError as error:
                raise PageError("OCR took too long") from error
            finally:
                process.kill()
                process.wait()
            if process.returncode:
                raise PageError("OCR failed", f"exit code {process.returncode}")
            return os.pread(printed, MAX_OUTPUT, 0).decode(errors="replace")

    def _start(self, given: int, printed: int, languages: Sequence[str]) -> subprocess.Popen[bytes]:
        arguments = ("-", "-", "--tessdata-dir", self.data, "-l", "+".join(languages))
        return subprocess.Popen(  # noqa: S603
            [*LAUNCHER, self.program, self.data, *arguments],
            stdin=given,
            stdout=printed,
            stderr=subprocess.DEVNULL,
            env={**clean_environment(), **ONE_THREAD},
            process_group=0,  # a key pressed in a terminal is the crawl's
        )


def find_tesseract(languages: Sequence[str]) -> Tesseract | None:
    """Finds Tesseract with these languages, and tries it in its sandbox; None where none is wanted.

    Raises EngineError with what to install.
    """
    if not languages:
        return None
    if not (program := shutil.which("tesseract")):
        raise EngineError(
            "ocr: there is no tesseract on this machine; install it (apt-get install tesseract-ocr "
            f"{_packages(languages)}), or take ocr out of crawl.toml"
        )
    told = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)  # noqa: S603
    first, *there = told.stdout.splitlines() or [""]
    if missing := [name for name in languages if name not in there]:
        found = ", ".join(sorted({*there} - {"osd"})) or "none"
        raise EngineError(
            f"ocr: tesseract has no language data for {', '.join(missing)}; install it (apt-get install "
            f"{_packages(missing)}), or write those that are there: {found}"
        )
    folder = _FOLDER.search(first)
    tesseract = Tesseract(os.path.realpath(program), os.path.realpath(folder[1] if folder else ""), languages)
    try:
        with ThreadPoolExecutor(1) as thread:  # Scrapy's event loop may run in this one
            thread.submit(asyncio.run, tesseract.read(BLANK)).result()
    except PageError as error:
        raise EngineError(_explain(error)) from error
    return tesseract


def choose_languages(languages: Sequence[str], language: str) -> Sequence[str]:
    """Chooses those of Tesseract's languages that are this one (ISO 639-1), all where none is."""
    return [name for name in languages if language and _two_letters(name) == language] or languages


@cache
def _two_letters(name: str) -> str:
    """Returns a language of Tesseract's (ISO 639-2/T) as ISO 639-1 has it, by Unicode's CLDR."""
    code = name.partition("_")[0]
    return str(get_global("language_aliases").get(code, code))


def _packages(languages: Sequence[str]) -> str:
    """Names the packages of Debian that have the data of these languages."""
    return " ".join(f"tesseract-ocr-{name.lower().replace('_', '-')}" for name in languages)


def _explain(error: PageError) -> str:
    if str(error).endswith(f"exit code {NO_FENCES}"):
        return (
            "ocr: pictures are read in a sandbox alone, and this machine lacks Landlock (Linux 5.13) or "
            "libseccomp2; take ocr out of crawl.toml"
        )
    return f"ocr: tesseract does not work in its sandbox ({error}); take ocr out of crawl.toml"


@contextmanager
def _memory_file(content: bytes = b"") -> Iterator[int]:
    """Opens a file in memory that begins with this content; a limit of file sizes holds for it."""
    number = os.memfd_create("ocr")
    try:
        with open(number, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)
