"""Each requirement of docs/requirements.md is held by a test, or the page says why not."""

import pytest

from tests.requirements_report import COLLECTED, complete, faults, held_by_number, numbered

LAST = 318


def test_the_page_has_every_number_once_and_in_order() -> None:
    assert [number for number, _ in numbered()] == list(range(1, LAST + 1))


def test_every_requirement_is_held_by_a_test_and_no_other_is_named(request: pytest.FixtureRequest) -> None:
    items = request.config.stash[COLLECTED]
    if not complete(items):
        pytest.skip("only some of the tests were collected; `make requirements` collects all")
    assert not list(faults(held_by_number(items)))
