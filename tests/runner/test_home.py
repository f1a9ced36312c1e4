"""A child's folder goes with it, whatever was left there."""

import os

from autograder.runner.wall.home import remove


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
