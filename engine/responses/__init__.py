"""Keeps responses as they were received, in WARC files, and finds them again: `keep_responses`."""

from engine.responses.folder import FOLDER, find_files
from engine.responses.keeping import KeptResponses, open_kept_responses
from engine.responses.kept_index import KeptIndex
from engine.responses.purging import PurgedFile, purge_responses

__all__ = [
    "FOLDER",
    "KeptIndex",
    "KeptResponses",
    "PurgedFile",
    "find_files",
    "open_kept_responses",
    "purge_responses",
]
