"""A file is written whole or not at all, also by two writers at once."""

import os
import stat
import threading

import pytest

from autograder.processes.files import write_atomically


def test_two_writers_of_one_path_leave_one_of_both_whole(tmp_path):
    path, contents = tmp_path / "below" / "file", [b"a" * 200_000, b"b" * 200_000]
    failed = []

    def write(content):
        try:
            for _ in range(50):
                write_atomically(path, content)
                assert path.read_bytes() in contents
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and os.listdir(path.parent) == ["file"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    path.with_name("folder").mkdir()
    with pytest.raises(OSError) as said:
        write_atomically(path.with_name("folder"), "new")
    assert (said.value.filename, said.value.filename2) == (str(path.with_name("folder")), None)
    assert path.read_text() == "old" and sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_who_may_read_it_is_as_for_any_new_file(tmp_path):
    (tmp_path / "ordinary").write_text("")
    write_atomically(tmp_path / "file", "x")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "ordinary").stat().st_mode
    write_atomically(tmp_path / "file", "x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
