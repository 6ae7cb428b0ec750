"""Imports fastwarc, which is an extra: most who crawl read no archives."""

from types import ModuleType

from engine.errors import EngineError


def import_fastwarc() -> ModuleType:
    """Imports fastwarc.warc. Raises EngineError where it is not installed."""
    try:
        from fastwarc import warc
    except ImportError as error:
        raise EngineError(
            "WARC files are read by fastwarc, which is not installed: run 'make archive', "
            "or 'pip install -c constraints.txt fastwarc'"
        ) from error
    return warc
