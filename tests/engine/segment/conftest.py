"""The disk of these tests loses nothing: what a commit brings to the disk has its own test."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="package")
def _a_disk_that_loses_nothing() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)
        yield
