"""What tests know of generations in a folder."""

from engine.generations.folder.generation import FolderGeneration
from engine.generations.generation import Generation


def in_folder(generation: Generation | None) -> FolderGeneration:
    """The same, which is there and in a folder."""
    assert isinstance(generation, FolderGeneration)
    return generation
