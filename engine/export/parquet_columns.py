"""Defines the columns of a Parquet export: those of the JSON lines, with types."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError


@dataclass(frozen=True, slots=True)
class ParquetColumns:
    """The columns of a file, and those with few values, which are kept in a dictionary."""

    schema: Any  # pyarrow.Schema: pyarrow has no types for mypy
    repeated: Sequence[str]


def import_pyarrow() -> Any:
    """Imports pyarrow, with its readers and writers. Raises EngineError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.json
        import pyarrow.parquet
    except ImportError as error:
        raise EngineError(
            "Parquet files are written by pyarrow, which is not installed: run 'make parquet', "
            "or 'pip install -c constraints.txt pyarrow'"
        ) from error
    return pyarrow


def define_page_columns() -> ParquetColumns:
    """Defines the columns of pages; what a line leaves out is null. Raises EngineError without pyarrow."""
    pa = import_pyarrow()
    text, time = pa.string(), pa.timestamp("ms", tz="UTC")  # Parquet has no seconds
    section = {"heading": text, "fragment": text, "text": text}
    link = {"url": text, "anchor": text, "nofollow": pa.bool_(), "main": pa.bool_()}
    schema = {
        "change": pa.int64(),
        "url": text,
        "gone": pa.bool_(),
        "represented_by": text,
        "copy_of": text,
        "title": text,
        "language": text,
        "media_type": text,
        "fetched_at": time,
        "published": time,
        "modified": time,
        "noarchive": pa.bool_(),
        "description": text,
        "keywords": text,
        "sections": pa.list_(pa.struct(section)),
        "links": pa.list_(pa.struct(link)),
    }
    return ParquetColumns(pa.schema(schema), ("language", "media_type"))


def define_link_columns() -> ParquetColumns:
    """Defines the columns of links. Raises EngineError without pyarrow."""
    pa = import_pyarrow()
    text, flag = pa.string(), pa.bool_()
    schema = {
        "change": pa.int64(),
        "source": text,
        "target": text,
        "anchor": text,
        "nofollow": flag,
        "main": flag,
    }
    return ParquetColumns(pa.schema(schema), ("source",))
