"""`python -m tests.fuzz.one TARGET SECONDS FOLDER`: atheris tries inputs until the time is over.

What breaks a law is written to FOLDER/findings, and it goes on: only a crash of the process ends it before.
"""

import hashlib
import sys
from pathlib import Path

import atheris

ROOT = Path(__file__).parent.parent.parent
COMPILED = [  # numba reads the code of these functions, and cannot read what atheris writes into it
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in ROOT.glob("engine/**/*.py")
    if "engine.kernels" in path.read_text(encoding="utf-8") or path.parent.name == "kernels"
]

with atheris.instrument_imports(include=["engine", "search_ui"], exclude=COMPILED):
    from tests.fuzz.laws import finding
    from tests.fuzz.targets import TARGETS

MEGABYTES = 2_048  # that the process may take; more is a crash
STUCK_SECONDS = 60  # for one input; more is a crash


def main() -> None:
    """Never returns: libFuzzer ends the process."""
    name, seconds, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    target, corpus, found = TARGETS[name], folder / "corpus", folder / "findings"
    for made in (corpus, found):
        made.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds():
        finding(target, seed)  # compiles and loads what the first input would pay for
        (corpus / hashlib.sha256(seed).hexdigest()).write_bytes(seed)
    known: set[str] = set()

    def one(data: bytes) -> None:
        broken = finding(target, data)
        if broken and broken.kind not in known:
            known.add(broken.kind)
            (found / broken.kind.replace("/", "_")).write_bytes(data)

    options = [f"-max_total_time={seconds}", f"-max_len={target.max_bytes}", f"-rss_limit_mb={MEGABYTES}"]
    options += [f"-timeout={STUCK_SECONDS}", f"-artifact_prefix={found}/", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
