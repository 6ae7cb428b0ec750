"""A crawl of a site with a document of every format: each is asked for, read, found and told apart."""

from pathlib import Path

import pytest

from engine.formats import FORMATS
from engine.search.search import SearchService
from tests.crawling import states
from tests.epubs import chapter, epub_parts
from tests.office import MAIN_PARTS, office_files
from tests.papers import package, pdf
from tests.running import crawl
from tests.web.scripted import Answer, Route, anchors, html, scripted_web

TYPES = {one.name: one.media_types[0] for one in FORMATS}
SENTENCE = "The heron of {} stands in the reeds."
UNTYPED = "application/octet-stream"


def files(sentence: str = SENTENCE) -> dict[str, bytes]:
    """A document of each format, with a sentence of its own."""
    return {
        **{name: office_files(sentence.format(name))[name] for name in (*MAIN_PARTS, "rtf")},
        "epub": package(epub_parts({"a.xhtml": chapter("Birds", sentence.format("epub"))})),
        "pdf": pdf([sentence.format("pdf")]),
        "txt": sentence.format("txt").encode(),
        "md": f"# Birds\n\n{sentence.format('md')}".encode(),
    }


@pytest.mark.slow
@pytest.mark.requirement(17, 229, 262)
@pytest.mark.parametrize("typed", [True, False], ids=["a server that knows types", "one that knows none"])
def test_documents_of_all_formats_are_found(tmp_path: Path, typed: bool) -> None:
    """By their suffixes they are asked for; by their types, or else by what they are, they are read."""
    routes: dict[str, Route] = {
        f"/{name}/report.{name}": Answer(
            200, body, {"Content-Type": TYPES[name] if typed or name in ("txt", "md") else UNTYPED}
        )
        for name, body in files().items()
    }
    assert {name.split("/")[1] for name in routes} == TYPES.keys() - {"html"}, "one of every row"
    with scripted_web({"/": html("Start", anchors([*routes])), **routes}) as site:
        crawl(tmp_path, site.url("/"), max_depth="1")
        known = states(tmp_path)
        assert {path: known[site.url(path)] for path in routes} == dict.fromkeys(routes, ("stored", ""))
        service = SearchService(tmp_path)
        for name in TYPES.keys() - {"html"}:
            (hit,) = service.search(f'"heron of {name} stands" filetype:{name}').hits
            assert (hit.url, hit.media_type) == (site.url(f"/{name}/report.{name}"), TYPES[name])
        service.close()
