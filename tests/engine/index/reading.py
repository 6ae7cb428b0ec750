"""`python -m tests.engine.index.reading DATA_DIR`: searches until its input closes; says when it sees another
version, and how often it searched.
"""

import select
import sys
from contextlib import closing
from pathlib import Path

from engine.search.search import SearchService

PAGES = 30
WORD = "twin"
SEEN = "another version\n"


def main(data_dir: Path) -> None:
    """All pages change together in every commit, so an answer that mixes two versions is torn."""
    answers, versions = 0, set[str]()
    with closing(SearchService(data_dir)) as search:
        while not select.select([sys.stdin], [], [], 0)[0]:
            found = search.search(WORD, size=100)
            titles = {hit.title for hit in found.hits}
            assert (found.total, len(found.hits), len(titles)) == (PAGES, PAGES, 1), (found.total, titles)
            answers += 1
            if not titles <= versions:
                versions |= titles
                sys.stdout.write(SEEN)
                sys.stdout.flush()
    sys.stdout.write(f"{answers} {len(versions)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
