"""`python -m tests.soak`: SOAK_MINUTES (60) with SOAK_HOSTS (1,000); exit code 1 when it was not flat.

build/soak.jsonl has the samples, build/soak.svg the picture.
"""

import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import ROOT
from tests.soak.soak import run
from tests.soak.verdict import growing, plot


def main() -> int:
    """The soak, and what is to be said of it."""
    minutes = float(os.environ.get("SOAK_MINUTES", "60"))
    hosts = int(os.environ.get("SOAK_HOSTS", "1000"))
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        samples, codes = run(Path(folder), hosts, 60 * minutes, build / "soak.jsonl")
    plot(build / "soak.svg", samples)
    last = samples[-1]
    print(  # noqa: T201
        f"{last.pages:,} pages, disk {last.disk:,.0f} MB, searches without a good answer: "
        f"{sum(one.wrong for one in samples)}, "
        f"search p99 at worst {max(one.p99 for one in samples):,.0f} ms, "
        f"crawls ended with {dict(Counter(codes))}; memory of the last sample, MB: {last.memory}, "
        f"of which mapped files {last.mapped}"
    )
    found = list(growing(samples))
    print("\n".join(found) or "flat in the second half")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
