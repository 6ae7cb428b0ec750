"""What tests of suggestions share: they hold for an index in a folder and for one in a cluster."""

from collections.abc import Iterator

import pytest

from tests.engine.index.lexicon.opened import Opener, open_clusters, open_folders


@pytest.fixture(
    scope="module",
    params=["folder", pytest.param("cluster", marks=[pytest.mark.opensearch, pytest.mark.slow])],
)
def open_search(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens a search service over a source's pages, whose lexicon is the folder's or a cluster's."""
    if request.param == "folder":
        with open_folders() as opener:
            yield opener
    else:
        with open_clusters(request.getfixturevalue("opensearch_node")) as opener:
            yield opener
