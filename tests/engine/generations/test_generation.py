"""Generations are built aside and published in one step."""

from pathlib import Path
from threading import Thread

import pytest

from engine import generations
from engine.errors import EngineError
from engine.generations.folder import generation


def published(data_dir: Path) -> list[str]:
    return sorted(path.name for path in (data_dir / "index").glob("g*"))


def test_nothing_is_current_before_the_first_publish(tmp_path: Path) -> None:
    assert generations.current_generation(tmp_path) is None
    generations.create_draft(tmp_path, "first")
    assert generations.current_generation(tmp_path) is None


def test_the_generation_before_is_kept_and_older_ones_are_not(tmp_path: Path) -> None:
    for _ in range(4):
        generation = generations.publish(tmp_path, generations.create_draft(tmp_path, "first"))
        assert generations.current_generation(tmp_path) == generation
    assert published(tmp_path) == ["g000003", "g000004"]


def test_the_generation_before_is_offered_while_it_is_there(tmp_path: Path) -> None:
    first, second = (
        generations.publish(tmp_path, generations.create_draft(tmp_path, "first")) for _ in range(2)
    )
    assert (first.before, second.before) == (None, first)
    first.path.rename(tmp_path / "moved away by hand")
    assert second.before is None


def test_a_generation_that_was_never_made_current_is_cleared_away(tmp_path: Path) -> None:
    first = generations.publish(tmp_path, generations.create_draft(tmp_path, "first"))
    generations.create_draft(tmp_path, "lost").path.rename(tmp_path / "index" / "g000002")
    assert generations.current_generation(tmp_path) == first
    generations.publish(tmp_path, generations.create_draft(tmp_path, "first"))
    assert published(tmp_path) == ["g000001", "g000003"]


def test_the_first_is_published_while_somebody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever found no tag and then a generation with changes called the index damaged."""
    names = generation.list_generations

    def publish_and_list(data_dir: Path) -> list[Path]:
        monkeypatch.setattr(generation, "list_generations", names)
        generations.publish(data_dir, generations.create_draft(data_dir, "first")).mark(1)
        return list(names(data_dir))

    monkeypatch.setattr(generation, "list_generations", publish_and_list)
    found = generations.current_generation(tmp_path)
    assert found
    assert found.caught_up == 1


def test_a_draft_left_by_a_dead_process_is_cleared_away(tmp_path: Path) -> None:
    (generations.create_draft(tmp_path, "rebuild").path / "left").touch()
    assert not (generations.create_draft(tmp_path, "rebuild").path / "left").exists()


def test_the_mark_is_the_last_one_made(tmp_path: Path) -> None:
    generation = generations.create_draft(tmp_path, "first")
    assert generation.caught_up == 0
    generation.mark(7)
    generation.mark(1234)
    assert generation.caught_up == 1234


def test_the_second_waits_for_the_first(tmp_path: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with generations.lock(tmp_path, "write"):
            order.append("second")

    with generations.lock(tmp_path, "write"), generations.lock(tmp_path, "rebuild"):
        thread = Thread(target=second)
        thread.start()
        thread.join(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_a_folder_that_cannot_be_written_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match="cannot write"), generations.lock(tmp_path / "file", "write"):
        pass
