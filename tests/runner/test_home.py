"""A child's folder goes with it, whatever was left there."""

import os

from autograder.runner.wall.home import is_full, remove


def test_what_is_nested_deeper_than_names_may_be_is_removed(tmp_path):
    home, outside = tmp_path / "home", tmp_path / "outside"
    for folder in (home, outside):
        folder.mkdir()
        (folder / "kept").write_text("x")
    at = os.open(home, os.O_RDONLY)
    for depth in range(3000):
        os.symlink(outside, "link", dir_fd=at)
        os.mkdir("wide", mode=0, dir_fd=at)
        os.mkdir("deep", dir_fd=at)
        inner = os.open("deep", os.O_RDONLY, dir_fd=at)
        os.chmod(at, 0 if depth else 0o700)  # closed to their owner, but for root
        os.close(at)
        at = inner
    os.close(at)
    remove(str(home))
    assert [path.name for path in tmp_path.iterdir()] == ["outside"] and (outside / "kept").exists()
    remove(str(home))


def test_a_folder_is_full_of_bytes_of_files_or_of_names(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(bytes(1000))
    at = str(tmp_path)
    held = 1000 + (tmp_path / "inner").stat().st_size
    assert not is_full(at, held, 2) and is_full(at, held - 1, 2) and is_full(at, held, 1)
    assert not is_full(str(tmp_path / "nowhere"), 0, 0)
    deeper = os.open(tmp_path / "inner", os.O_RDONLY)
    for _ in range(20):  # longer together than a path may be
        os.mkdir("x" * 250, dir_fd=deeper)
        inner = os.open("x" * 250, os.O_RDONLY, dir_fd=deeper)
        os.close(deeper)
        deeper = inner
    os.close(deeper)
    assert is_full(at, 1 << 40, 1 << 40)
    remove(at)
