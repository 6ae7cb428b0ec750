"""What a commit changes in the pages that are there: as the reports count it."""

from pathlib import Path

import pytest

from tests.crawling import HOST, Clock, Web, crawl_of, run

DAY = 86_400.0
PAGE = f"{HOST}/1"
NIGHTS: list[tuple[int | list[str], dict[str, object], list[str], str]] = [
    ([], {}, ["unchanged"], "it has the same text"),
    ([], {"fingerprint": b"another"}, ["changed"], "it has another"),
    (410, {}, ["gone"], "its page leaves at once"),
    (404, {}, [], "it stays until the second 404"),
    (500, {}, [], "it stays as it was"),
    (304, {}, ["unchanged"], "its host says so"),
]


@pytest.mark.requirement(61)
@pytest.mark.parametrize(("answer", "said", "changes", "why"), NIGHTS)
def test_a_page_in_its_second_night(
    tmp_path: Path, answer: int | list[str], said: dict[str, object], changes: list[str], why: str
) -> None:
    web, clock = Web({f"{HOST}/": [PAGE], PAGE: []}, headers={PAGE: [("etag", '"1"')]}), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    clock.now += DAY
    web.answers[PAGE], web.said[PAGE] = answer, said
    crawl = crawl_of(tmp_path, clock)
    noted: list[tuple[str, str]] = []
    crawl.recorder.add_change = lambda host, change: noted.append((host, change))  # type: ignore[method-assign]
    run(crawl, web, clock)
    assert noted.count((HOST, "unchanged")) >= 1, "the start page"
    noted.remove((HOST, "unchanged"))
    assert noted == [(HOST, change) for change in changes], why
