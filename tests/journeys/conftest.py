"""A clone and a browser for each journey."""

import pytest

from tests.journeys.checkout import Checkout, clone
from tests.search_ui.conftest import browser as browser


@pytest.fixture
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return clone(tmp_path_factory.mktemp("journey") / "lycosa")
