"""Secrets are read from where nobody else reads them."""

import os
from pathlib import Path

import pytest

from engine.config import SecretPlace
from engine.errors import EngineError
from engine.login.secrets import MAX_BYTES, read_secret

WHERE = "crawl.toml, line 2: host"


def read(file: Path) -> str:
    return read_secret(SecretPlace(file=file), WHERE, {})


def test_a_line_of_a_private_file_or_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch(0o600)
    file.write_text(" é word \n")
    assert read(file) == " é word "
    assert read_secret(SecretPlace("NAME"), WHERE, {"NAME": "word"}) == "word"
    file.chmod(0o400)
    assert read(file) == " é word ", "stricter still"


@pytest.mark.parametrize(
    ("mode", "content", "line"),
    [
        (0o640, b"canary", "others can read {file}; mend it with: chmod 600 {file}"),
        (0o604, b"canary", "others can read"),
        (0o660, b"canary", "others can read"),
        (0o600, b"\n", "{file} holds no secret"),
        (0o600, b"canary\nmore", "{file} holds no secret; write it there, on one line"),
        (0o600, b"x" * (MAX_BYTES + 1), "{file} is too long to be a secret"),
    ],
)
def test_one_line_says_how_to_mend_it(tmp_path: Path, mode: int, content: bytes, line: str) -> None:
    file = tmp_path / "secret"
    file.write_bytes(content)
    file.chmod(mode)
    with pytest.raises(EngineError) as error:
        read(file)
    assert str(error.value).startswith(f"{WHERE}: {line.format(file=file)}")
    assert "canary" not in str(error.value)


def test_what_is_no_file_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fifo, file = tmp_path / "fifo", tmp_path / "file"
    os.mkfifo(fifo, 0o600)
    file.touch(0o600)
    for path, line in ((fifo, "is no file"), (tmp_path, "directory"), (tmp_path / "none", "cannot be read")):
        with pytest.raises(EngineError, match=line):
            read(path)
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(EngineError, match="another user's"):
        read(file)
    with pytest.raises(EngineError, match="the environment has no NAME"):
        read_secret(SecretPlace("NAME"), WHERE, {})
