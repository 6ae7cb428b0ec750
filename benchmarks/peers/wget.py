"""`wget -r`, robots.txt obeyed, nothing kept."""

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory

# Its log has one line a file; pictures are not asked for, and other files do not count as pages.
_PAGE = re.compile(rb" URL:\S*(/|\.html?)(\?\S*)? \[")
_COMMAND = [
    *("wget", "--recursive", "--level=inf", "--no-directories", "--delete-after"),
    *("--ignore-tags=img,link,script", "--no-verbose"),
    *("--no-config", "--no-proxy", "--no-hsts"),  # nothing of this machine's, and nothing but loopback
]


def is_installed() -> bool:
    """True when this machine has it."""
    return bool(shutil.which("wget"))


def crawl(seeds: Sequence[str], pages: int) -> float:
    """Pages per second, from its start to the last of so many pages."""
    with TemporaryDirectory() as folder:
        began = last = time.monotonic()
        count = 0
        process = subprocess.Popen([*_COMMAND, *seeds], cwd=folder, stderr=subprocess.PIPE)
        try:
            assert process.stderr
            for line in process.stderr:
                if _PAGE.search(line):
                    count, last = count + 1, time.monotonic()
                if count == pages:
                    break
        finally:
            process.kill()
            process.communicate()
    return count / (last - began) if count else 0.0
