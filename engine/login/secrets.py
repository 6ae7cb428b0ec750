"""Reads secrets: from the environment, or from a file that nobody else can read."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from engine.config import SecretPlace
from engine.errors import EngineError

MAX_BYTES = 1_000_000  # of a secret's file; a browser's cookies have some 100 kB
_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_secret(place: SecretPlace, where: str, environment: Mapping[str, str]) -> str:
    """Reads a secret, which is one line. Raises EngineError for none, and for a file that others can read."""
    if place.variable:
        secret = environment.get(place.variable, "")
        if not secret:
            raise EngineError(f"{where}: the environment has no {place.variable}; set it to the secret")
    else:
        assert place.file
        secret = read_private_file(place.file, where).decode("utf-8", "surrogateescape").strip("\r\n")
    if not secret or not secret.isprintable():
        raise EngineError(
            f"{where}: {place.variable or place.file} holds no secret; write it there, on one line of text"
        )
    return secret


def read_private_file(path: Path, where: str) -> bytes:
    """Reads a file of ours that nobody else can read. Raises EngineError for any other, and for none."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise EngineError(f"{where}: {path} is no file")
            if found.st_uid != os.geteuid():
                raise EngineError(f"{where}: {path} is another user's; 'chown' it to the one that crawls")
            if found.st_mode & _OF_OTHERS:
                raise EngineError(f"{where}: others can read {path}; mend it with: chmod 600 {path}")
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise EngineError(f"{where}: {path} cannot be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise EngineError(f"{where}: {path} is too long to be a secret; it may have {MAX_BYTES:,} bytes")
    return content
