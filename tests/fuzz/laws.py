"""What must hold of every input of strangers: nothing is raised but what is named, and soon it is over."""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

MAX_SECONDS = 2.0  # of processor time for one input; PAGE_SECONDS of engine.config


@dataclass(frozen=True, slots=True)
class Target:
    """A reader of strangers' octets; `read` raises what no input may make it raise."""

    name: str
    read: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    max_bytes: int = 16_384  # of an input


@dataclass(frozen=True, slots=True)
class Finding:
    """A law that an input broke: what was raised and where, or that it took too long."""

    kind: str
    data: bytes


def finding(target: Target, data: bytes) -> Finding | None:
    """Reads one input; what it broke, None when all laws hold."""
    began = time.process_time()
    try:
        target.read(data)
    except Exception as error:  # that none comes is the law
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Finding(f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}", data)
    took = time.process_time() - began
    return Finding("too slow", data) if took > MAX_SECONDS else None
