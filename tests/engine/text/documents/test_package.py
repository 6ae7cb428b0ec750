"""The parts of a zip package, of whatever size and however tightly packed."""

import random
import zipfile
from io import BytesIO

import pytest

from engine.errors import PageError
from engine.text.documents.package import ALWAYS, MAX_RATIO, ZipPackage, parse_xml


def package(part: bytes) -> ZipPackage:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("part", part)
    return ZipPackage(packed.getvalue())


def test_a_small_part_may_be_packed_as_tightly_as_it_likes() -> None:
    """A megabyte does no harm, and blanks shrink to a thousandth."""
    part = b" " * ALWAYS
    assert b"".join(package(part).pieces("part")) == part


@pytest.mark.parametrize(
    ("noise", "is_read"), [(ALWAYS // MAX_RATIO, False), (4 * ALWAYS // MAX_RATIO, True)]
)
def test_a_larger_part_may_be_so_tight_and_no_tighter(noise: int, is_read: bool) -> None:
    """Noise does not shrink at all."""
    part = random.Random(1).randbytes(noise) + b" " * 2 * ALWAYS
    if is_read:
        assert b"".join(package(part).pieces("part")) == part
        return
    with pytest.raises(PageError, match="too large"):
        list(package(part).pieces("part"))


@pytest.mark.parametrize("attributes", ['id="2" r:id="1"', 'r:id="1" id="2"'])
def test_of_two_attributes_with_one_name_that_with_a_namespace_is_told(attributes: str) -> None:
    """As a slide has an id of its own, and one of its relation."""
    told: list[str] = []
    part = f'<a xmlns:r="urn:r" {attributes}/>'.encode()
    parse_xml(iter([part]), lambda _, named: told.append(named["id"]), lambda _: None, lambda _: None)
    assert told == ["1"]
