"""OUT is looked at before anything is read, and held by one run at a time."""

import errno
import threading

import pytest

from autograder.grading.out_folder import held
from autograder.showing.terminal import told_every
from autograder.spec.user_error import UserError


def test_a_second_run_is_told_who_holds_the_folder(tmp_path):
    other = held(tmp_path / "out")
    with held(tmp_path / "out"), pytest.raises(UserError, match=r"in use by .+ on .+ \(process \d+, since"):
        other.__enter__()
    with held(tmp_path / "out"):  # free again
        assert (tmp_path / "out" / ".holder").is_file()
    assert not (tmp_path / "out" / ".holder").exists()


def test_a_folder_that_cannot_be_written_is_named_before_the_run(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(UserError, match=r"file.* cannot be written: .*another folder as --out"),
        held(tmp_path / "file"),
    ):
        raise AssertionError("it has begun")


def test_a_full_disk_is_named_and_another_error_is_not_hidden(tmp_path):
    said = r"grades.csv cannot be written: No space left.*goes on from there"
    with pytest.raises(UserError, match=said), held(tmp_path):
        (tmp_path / "results").mkdir()
        raise OSError(errno.ENOSPC, "No space left on device", "grades.csv")
    with pytest.raises(ZeroDivisionError), held(tmp_path):
        raise ZeroDivisionError
    with pytest.raises(PermissionError), held(tmp_path / "out"):
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "submissions"))
    assert not (tmp_path / "out" / ".holder").exists()


@pytest.mark.parametrize(
    ("number", "is_full"), [(errno.EROFS, False), (errno.EACCES, False), (errno.EFBIG, True), (errno.EDQUOT, True)]
)
def test_room_is_asked_for_where_it_lacks(tmp_path, number, is_full):
    with pytest.raises(UserError, match="give another folder as --out") as said, held(tmp_path / "out"):
        raise OSError(number, "it is so", str(tmp_path / "out" / "grades.csv"))
    assert ("make room there" in str(said.value)) == is_full


def test_a_run_that_is_refused_leaves_nothing(tmp_path):
    with pytest.raises(UserError, match="holds nothing"), held(tmp_path / "out"):
        raise UserError("it holds nothing to grade")
    assert not (tmp_path / "out").exists()
    with held(tmp_path / "out"):
        (tmp_path / "out" / "seed").touch()
    assert (tmp_path / "out" / "seed").exists()


def test_something_is_said_again_and_again_until_the_end():
    twice, said = threading.Event(), []

    def tell():
        said.append(1)
        if len(said) > 1:
            twice.set()

    with told_every(0.001, tell):
        assert twice.wait(60)
