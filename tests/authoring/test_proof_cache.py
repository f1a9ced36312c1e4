"""What a proof depends on, and that only what has been proved clean is not proved again."""

import pytest

from autograder.authoring import proof_cache, prove, prove_lesson
from autograder.spec.catalogue import exercise_named, exercises, lesson_named, lessons
from autograder.spec.folders import ROOT

CLAIM = "it is right"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_PROOFS", str(tmp_path / "proofs"))
    return tmp_path / "proofs"


class Proof:
    """Finds these problems, and counts how often it is asked."""

    def __init__(self, *found):
        self.found, self.times = found, 0

    def __call__(self):
        self.times += 1
        return iter(self.found)


def test_what_was_proved_clean_is_not_proved_again_until_its_content_changes():
    proof = Proof()
    for content, times in (("as it was", 1), ("as it was", 1), ("changed", 2), ("as it was", 2)):
        assert proof_cache.problems(CLAIM, content, proof) == [] and proof.times == times
    assert proof_cache.problems("it is right over more seeds", "changed", proof) == [] and proof.times == 3


def test_a_problem_is_never_kept(folder):
    proof = Proof("the first", "the second")
    for times in (1, 2):
        assert proof_cache.problems(CLAIM, "content", proof) == ["the first", "the second"] and proof.times == times
    assert not folder.exists()


def test_a_proof_that_was_broken_off_is_not_kept(folder):
    def broken():
        yield from ()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        proof_cache.problems(CLAIM, "content", broken)
    next(proof_cache.keeping([CLAIM], "content", iter(["a problem"])))
    assert not folder.exists()


@pytest.mark.parametrize("damage", [b"", b"it is ri", b"\xff\0", b"another is right"])
def test_a_damaged_file_is_ignored_and_written_anew(folder, damage):
    proof = Proof()
    proof_cache.problems(CLAIM, "content", proof)
    (kept,) = folder.iterdir()
    kept.write_bytes(damage)
    for _ in range(2):
        assert proof_cache.problems(CLAIM, "content", proof) == [] and proof.times == 2


def test_the_whole_proof_looks_at_everything_and_leaves_what_it_found_for_the_tests(monkeypatch):
    asked = []
    monkeypatch.setattr(prove, "exercise_problems", lambda exercise, lesson: iter(asked.append(exercise.name) or ()))
    monkeypatch.setattr(prove_lesson, "form_problems", lambda lesson: iter(["it is stale"]))
    monkeypatch.setattr(prove_lesson, "run_problems", lambda lesson: iter(()))
    lesson = lesson_named("softmax")
    for times in (1, 2):
        found = [problem for part in prove.parts(lesson) for problem in prove.part_problems(lesson, part)]
        assert found == ["01_softmax: it is stale"]
        assert asked == [e.name for e in lesson.exercises] * times
    nobody = Proof("must not be asked")
    for exercise in lesson.exercises:
        claim = prove.brief(exercise).claim(exercise)
        assert proof_cache.problems(claim, proof_cache.of_exercise(exercise), nobody) == []
    assert proof_cache.problems(prove_lesson.RUN, prove_lesson.run_content(lesson), nobody) == []


# What a proof depends on. A file "changes" by being hashed otherwise.

NUMPY, TORCH, TRITON, CUDA = "safe_softmax", "grouped_attention", "flash_full", "warp_softmax"
RUN = [lesson_named("softmax"), lesson_named("gqa")]
CELLS = ["%load_ext autograder\nfrom kernels import block_merge", "%%cuda share\n__global__ void share() {}"]
ALL = {NUMPY, TORCH, TRITON, CUDA, "softmax", "gqa"}


def contents():
    """Of some exercises by name, and of what is run of some lessons by topic."""
    of_exercises = {name: proof_cache.of_exercise(exercises()[name]) for name in (NUMPY, TORCH, TRITON, CUDA)}
    return of_exercises | {lesson.topic: proof_cache.of_lesson(lesson, CELLS) for lesson in RUN}


@pytest.fixture(scope="module")
def before():
    return contents()


@pytest.mark.parametrize(("file", "touched"), [
    ("autograder/judging/tolerance.py", ALL),
    ("autograder/runner/observe/call.py", ALL),
    ("autograder/runner/child.py", ALL),
    ("autograder/backends/triton.py", ALL),
    ("autograder/spec/exercise/budget.py", ALL),
    ("autograder/authoring/prove.py", ALL),
    ("autograder/showing/card.py", {"softmax", "gqa"}),
    ("autograder/nbgrader/course.py", set()),
    ("autograder/shell/cli.py", set()),
    ("autograder/exercises/softmax.py", {NUMPY, "softmax"}),
    ("autograder/exercises/draws.py", ALL),
    ("kernels/softmax.py", {NUMPY, "softmax"}),
    ("autograder/exercises/flash_tiles.py", {TORCH, TRITON, "gqa"}),  # gqa builds on it
    ("kernels/flash_forward.py", {TORCH, TRITON, "gqa"}),  # whose loads are counted alike
    ("kernels/block_merge.py", {"softmax", "gqa"}),  # a cell imports it
    ("kernels/cuda/warp_softmax.cu", {CUDA}),
    ("kernels/cuda/flash_mma.cu", set()),
    ("simt/runtime/fibers.cpp", {CUDA, "softmax", "gqa"}),
    ("lessons/21_gqa.md", {"gqa"}),
    ("bench/h200.json", {TORCH, "softmax", "gqa"}),
])  # fmt: skip
def test_a_change_proves_what_it_touches(before, monkeypatch, file, touched):
    changed, named = ROOT / file, proof_cache._named
    assert changed.exists()
    monkeypatch.setattr(proof_cache, "_named", lambda path: named(path) + b"x" * (path == changed))
    after = contents()
    assert {name for name in before if before[name] != after[name]} == touched


@pytest.mark.parametrize("name", [name for name, exercise in exercises().items() if exercise.backend == "cuda"])
def test_a_cuda_exercise_depends_on_its_kernel(name):
    topic = proof_cache._topic(exercise_named(name).topic)
    assert ROOT / "kernels" / "cuda" / f"{name}.cu" in proof_cache._cuda_kernels(topic)


def test_other_versions_are_other_content(monkeypatch):
    exercise, before = exercise_named(NUMPY), proof_cache.of_exercise(exercise_named(NUMPY))
    assert any(said.startswith("torch ") for said in proof_cache._versions(proof_cache.COMPUTING))
    monkeypatch.setattr(proof_cache, "_versions", lambda beginnings: ["torch 99"])
    assert proof_cache.of_exercise(exercise) != before


def test_a_package_that_is_not_pinned_changes_nothing(monkeypatch):
    lesson = lessons()[0]

    def content(*versions):
        monkeypatch.setattr(proof_cache, "_versions", lambda beginnings: versions)
        return proof_cache.of_lesson(lesson, [])

    before = content("jupyterlab 1", "numpy 1", "pip 1")
    assert content("jupyterlab 1", "numpy 1", "pip 2", "somebody-s-own 1") == before
    assert before not in (content("jupyterlab 1", "numpy 2", "pip 1"), content("numpy 1", "pip 1"))


def test_a_pinned_package_is_known_however_its_name_is_written():
    installed = {said.split()[0] for said in proof_cache._versions(("",))}
    assert {"numpy", "torch", "nbclient", "jupyter-client", "typing-extensions"} <= installed & proof_cache._pinned()
    assert "pip" not in proof_cache._pinned() and not any("=" in name or ";" in name for name in proof_cache._pinned())
