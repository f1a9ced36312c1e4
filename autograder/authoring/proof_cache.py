"""What has been proved before: that a proof found no problem, kept under a hash of all that it depends on.

So a change proves again what it touches, and nothing else. Only the tests look here: `make proof` proves everything,
and leaves here what it has found to be without a problem.
"""

from __future__ import annotations

import ast
import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import distributions
from importlib.util import resolve_name
from pathlib import Path

import torch

import simt.compiler
from kernels import CUDA
from simt.errors import MissingCompiler

from ..processes.files import write_atomically
from ..spec.catalogue import Lesson
from ..spec.exercise import Exercise
from ..spec.folders import CONSTRAINTS, LESSONS, MEASURED, PACKAGES, ROOT, SIMT, SOLUTIONS

AUTOGRADER = PACKAGES / "autograder"
DRAWN_WITH = AUTOGRADER / "exercises" / "measured.py"  # the numbers of MEASURED, in some topics
PROOF = ("autograder.authoring.prove", "autograder.runner.child")  # and what a helper process runs
# What the proof of an exercise imports, but what decides nothing there. CUDA's part is added for what needs it.
UNDECIDING = (
    *(f"autograder.{package}" for package in ("showing", "tracing", "benchmark", "grading", "nbgrader", "shell")),
    *(f"autograder.notebook.{module}" for module in ("extension", "progress")),
    *(f"autograder.authoring.{module}" for module in ("proof_cache", "prove_lesson")),
    "simt",
)
COMPUTING = ("numpy", "torch", "triton", "cuda", "nvidia")  # how the names of the packages begin that compute
UNUSED_BY_LESSONS = ("exercises", "nbgrader", "shell")  # packages; of the exercises a lesson has its own


def problems(claim: str, content: str, prove: Callable[[], Iterable[str]]) -> list[str]:
    """What `prove` finds; nothing, without a look, where it has found nothing before with this content.

    claim: what is proved, and how thoroughly. content: what `of_exercise` or `of_lesson` returns.
    """
    kept = _file(claim, content)
    if kept.is_file() and kept.read_bytes() == claim.encode():
        return []
    return list(keeping([claim], content, prove()))


def keeping(claims: Iterable[str], content: str, found: Iterable[str]) -> Iterator[str]:
    """The problems found; once all have been looked for and there was none, the claims are written down."""
    clean = True
    for problem in found:
        clean = False
        yield problem
    for claim in claims if clean else ():
        write_atomically(_file(claim, content), claim)


def of_exercise(exercise: Exercise) -> str:
    """A hash of what the proof of an exercise depends on."""
    topic = _topic(exercise.topic)
    depends = {*_imported(*PROOF, excluded=UNDECIDING), *topic}
    depends |= {MEASURED} if DRAWN_WITH in topic else set()
    versions = [_machine(), *_versions(COMPUTING)]
    if not exercise.engine.is_python:
        depends |= {*_below(SIMT), *_cuda_kernels(topic)}
        versions.append(_compiler())
    return _hash(depends, versions)


def of_lesson(lesson: Lesson, cells: Sequence[str]) -> str:
    """A hash of what the outcome of running a lesson's notebook depends on. cells: those with code."""
    modules = _topic(lesson.topic).union(*map(_modules_of, cells))
    depends = {*modules, *_cuda_kernels(modules), *LESSONS.glob(f"{lesson.stem}.*"), *(ROOT / "bench").glob("*.json")}
    depends |= _below(SIMT).union(*(_below(p) for p in AUTOGRADER.iterdir() if p.name not in UNUSED_BY_LESSONS))
    return _hash(depends, [_machine(), _compiler(), *_pinned_versions(), *cells])


def of_tests(module: str, features: Sequence[str]) -> str:
    """A hash of what the tests of a module depend on that runs whole systems: all of the course, and their own files.

    features: what this machine has, of which tests skip what it has not.
    """
    depends = {*_imported(module, excluded=("autograder", "kernels", "models", "simt")), ROOT / "tests" / "conftest.py"}
    depends |= {ROOT / name for name in ("constraints.txt", "pyproject.toml")}
    depends = depends.union(*(_below(PACKAGES / name) for name in ("autograder", "bench", "kernels", "models", "simt")))
    depends |= _below(LESSONS) | _below(SOLUTIONS)
    return _hash(depends, [_machine(), _compiler(), *_pinned_versions(), *features])


def key(claim: str, content: str) -> str:
    """The name of a claim about this content."""
    return hashlib.sha256(f"{claim}\n{content}".encode()).hexdigest()[:40]


def _file(claim: str, content: str) -> Path:
    folder = Path(os.environ.get("TILEWISE_PROOFS") or ROOT / ".cache" / "tilewise-proofs")
    return folder / key(claim, content)


def _hash(files: Iterable[Path], versions: Iterable[str]) -> str:
    digest = hashlib.sha256("\n".join(versions).encode())
    for _, named in sorted((path, _named(path)) for path in files):
        digest.update(named)
    return digest.hexdigest()


@cache  # hundreds of proofs depend on the same few hundred files
def _named(path: Path) -> bytes:
    """The file's name in the course, and a hash of its content."""
    return path.relative_to(PACKAGES).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest()


@cache
def _imported(*names: str, excluded: tuple[str, ...] = ()) -> frozenset[Path]:
    """The files of our modules that these import, wherever and however far down, themselves included."""
    found: set[Path] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        parents = name.split(".")
        if any(".".join(parents[:n]) in excluded for n in range(1, len(parents) + 1)):
            continue
        for path in (PACKAGES.joinpath(*parents).with_suffix(".py"), PACKAGES.joinpath(*parents, "__init__.py")):
            if path.exists() and path not in found:
                found.add(path)
                waiting += [".".join(parents[:-1])] * (len(parents) > 1)
                waiting += _imports_of(path, name if path.stem == "__init__" else name.rpartition(".")[0])
    return frozenset(found)


@cache
def _imports_of(path: Path, package: str) -> tuple[str, ...]:
    return tuple(_imports(path.read_text(), package))


def _imports(code: str, package: str = "") -> Iterator[str]:
    """The names of what code of this package imports: modules, and what may be one or stand in one."""
    waiting: list[ast.AST] = [ast.parse(code)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
        elif not isinstance(node, ast.expr):  # in which nothing is imported, and most nodes stand
            waiting += ast.iter_child_nodes(node)


@cache
def _below(folder: Path) -> frozenset[Path]:
    """The files in it, but for what Python and tools leave there beside them."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return frozenset(path for path in found if not _is_left(path.relative_to(folder).parts))


def _is_left(parts: tuple[str, ...]) -> bool:
    return any(part == "__pycache__" or part.startswith(".") for part in parts)


@cache
def _topic(topic: str) -> frozenset[Path]:
    """A topic's exercises with what they import: their kernels and sometimes others'. And the pages beside them."""
    modules = _imported(f"autograder.exercises.{topic}", excluded=UNDECIDING)
    return modules | {page for path in modules if (page := path.with_suffix(".md")).exists()}


def _modules_of(cell: str) -> frozenset[Path]:
    """The files of our modules that a notebook's cell imports, its magics left out; of C++ none."""
    python = "\n".join(line for line in cell.splitlines() if not line.lstrip().startswith(("%", "!")))
    try:
        return _imported(*_imports(python), excluded=("autograder", "simt"))  # which are hashed whole
    except SyntaxError:
        return frozenset()


@cache
def _cuda_kernels(modules: frozenset[Path]) -> set[Path]:
    """The CUDA kernels whose names stand in these modules."""
    words = {word for module in modules for word in re.findall(r"\w+", module.read_text())}
    return {path for path in CUDA.glob("*.cu") if path.stem in words}


@cache
def _versions(beginnings: tuple[str, ...]) -> list[str]:
    """The installed packages whose names begin so, with their versions."""
    path = [folder for folder in sys.path if "_vendor" not in folder]  # which setuptools adds once it is imported
    installed = {(_normal(d.metadata["Name"]), d.version) for d in distributions(path=path)}
    return [f"{name} {version}" for name, version in sorted(installed) if name.startswith(beginnings)]


@cache
def _pinned() -> frozenset[str]:
    """The packages that every install has in one version; of others, as of pip, each takes what there is."""
    lines = CONSTRAINTS.read_text().splitlines()
    return frozenset(_normal(line.partition("==")[0]) for line in lines if "==" in line)


def _pinned_versions() -> list[str]:
    return [named for named in _versions(("",)) if named.split()[0] in _pinned()]


def _normal(name: str) -> str:
    """A package's name as an index has it, whatever its author writes."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


@cache
def _machine() -> str:
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    return f"{sys.version} {platform.machine()} {torch.backends.cpu.get_cpu_capability()} {gpu}"


@cache
def _compiler() -> str:
    try:
        return simt.compiler.version()
    except MissingCompiler:
        return "no compiler"
