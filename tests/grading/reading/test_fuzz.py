"""Files and messages of any form cost nobody but their author anything: what reads them answers or says why not.

200 examples each; `make proof` takes 5,000 (TILEWISE_EXAMPLES).
"""

import io
import json
import os
import socket
import time
import zipfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.authoring.sample import submission_notebook
from autograder.grading.reading.files import MAX_BYTES, MAX_FILES, Files, files_of
from autograder.grading.reading.submission import Answer, Submission, read_answers
from autograder.runner.observe import Observation
from autograder.runner.protocol import ProtocolError, read_observation, receive, send
from autograder.showing.terminal import saying
from autograder.spec.catalogue import exercises, lesson_named

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = [pytest.mark.no_cover, pytest.mark.timeout(3600)]  # for 5,000, on a busy machine

EXAMPLES = settings(
    derandomize="TILEWISE_EXAMPLES" not in os.environ,  # they are others in each nightly proof
    print_blob=True,  # by which what failed is repeated
    deadline=None,
    max_examples=int(os.environ.get("TILEWISE_EXAMPLES", "200")),
    suppress_health_check=list(HealthCheck),
)
ANSWERED: dict[str, Any] = json.loads(submission_notebook(lesson_named("01"), lambda exercise: exercise.source))
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.integers(min_value=-(2**80), max_value=2**80),
    st.text(max_size=30),
    st.sampled_from(
        [
            "\ud800",
            "\0",
            "# BEGIN SOLUTION",
            "%%cuda scale_vector",
            "def safe_softmax(x):",
            "(" * 9000,
            "[" * 500,
            "\f\r",
        ]
    ),
    st.lists(st.text(max_size=5), max_size=3),
    st.dictionaries(st.sampled_from(["cell_type", "source", "metadata", "nbgrader", "grade_id"]), st.text(max_size=5)),
    st.sampled_from([[[]], {"a": {"b": [None]}}, ["x\n", 1], 10**400]),
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 400), st.binary(max_size=40) | st.just(b'{"cell_type":')), max_size=4
)


@pytest.fixture(autouse=True)
def what_takes_minutes_says_so(request):
    """Where pytest's -s lets it be seen."""
    with saying(request.node.name):
        yield


def edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """Data with some bytes taken out and others put in, each (where, how many, what)."""
    for where, gone, new in edits:
        at = int(where * len(data))
        data = data[:at] + new + data[at + gone :]
    return data


def replaced(node: Any, ways: list[int], value: Any) -> Any:
    """The tree with the value at a place that the ways lead to, one step down each."""
    if not ways or not isinstance(node, dict | list) or not node:
        return value
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    key = keys[ways[0] % len(keys)]
    copy = node.copy()
    copy[key] = replaced(node[key], ways[1:], value)
    return copy


def assert_read(submission: Submission) -> None:
    found, notes = submission.answers, submission.notes
    assert found.keys() <= exercises().keys() and all(type(answer) is Answer for answer in found.values())
    assert all(note.count("\n") == 0 and len(note) < 600 for note in notes), notes
    assert len(submission.hash) == 64 and set(submission.untouched) <= exercises().keys()
    json.dumps([notes, {name: answer.source for name, answer in found.items()}]).encode()


@EXAMPLES
@given(st.lists(st.tuples(st.lists(st.integers(0, 40), max_size=6), ODD), min_size=1, max_size=3), EDITS)
def test_a_notebook_of_any_form_is_read_or_left_out(changes, edits):
    tree = ANSWERED
    for ways, value in changes:
        tree = replaced(tree, ways, value)
    data = edited(json.dumps(tree).encode(), edits)
    for name in ("lesson.ipynb", "answer.py", "safe_softmax.cu"):
        assert_read(read_answers(Files("somebody", ((name, data),))))


NAMES = st.text(max_size=8) | st.sampled_from(
    [
        "a.ipynb",
        "b.py",
        "../c.py",
        "/d.py",
        "",
        "e/",
        "f/g.cu",
        "__MACOSX/h.py",
        "C:\\i.py",
        "j.py\0.txt",
        "k\n.py",
        ".py",
    ]
)


@EXAMPLES
@given(st.lists(st.tuples(NAMES, st.binary(max_size=60) | st.just(b"x = 1")), max_size=5), EDITS)
def test_a_zip_of_any_form_is_read_or_left_out(tmp_path_factory, members, edits):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file, pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # of two members of one name
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data)
    entry = tmp_path_factory.mktemp("class") / "somebody.zip"
    entry.write_bytes(edited(archive.getvalue(), edits))
    given = files_of(entry, "somebody")
    assert len(given.files) <= MAX_FILES and sum(len(data) for _, data in given.files) <= MAX_BYTES
    assert not any(name.startswith("/") or ".." in name.split("/") for name, _ in given.files)
    assert_read(read_answers(given))
    entry.unlink()


FIELDS = ["outputs", "failure", "operations", "inputs_changed", "peak_bytes", "peak_line", "steps", "blobs", "traffic"]


@EXAMPLES
@given(
    st.dictionaries(st.sampled_from(FIELDS), ODD | st.lists(st.dictionaries(st.sampled_from(["dtype", "shape"]), ODD))),
    st.lists(st.binary(max_size=20), max_size=3),
    EDITS,
)
def test_a_message_of_any_form_is_an_observation_or_breaks_the_protocol(header, blobs, edits):
    source, sink = socket.socketpair()
    ours, theirs = socket.socketpair()
    with source, sink, ours, theirs:
        send(source, header, blobs)
        theirs.sendall(edited(sink.recv(1 << 20), edits))
        theirs.shutdown(socket.SHUT_WR)
        try:
            seen = read_observation(*receive(ours, deadline=time.monotonic() + 60))
        except (ProtocolError, EOFError):
            return
        assert type(seen) is Observation
