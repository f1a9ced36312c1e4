"""What the course finds on this machine, what is missing, and the command that fixes it.

Needs the standard library only: it has to work where the rest does not.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from ..spec.folders import CONSTRAINTS

PYTHON = (3, 11)
INSTALL = f"pip install -c {shlex.quote(str(CONSTRAINTS))}"  # and the names of packages
BUBBLEWRAP = "sudo apt install bubblewrap"
USER_NAMESPACES = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), then try again"
COMPILER = "sudo apt install g++"


@dataclass(frozen=True)
class Finding:
    """One requirement: what was found, what it is for, and the command that fixes it. Required ones must be ok."""

    part: str
    ok: bool
    found: str
    purpose: str
    mend: str
    required: bool = False

    def __str__(self) -> str:
        """One line, and below it the command if there is something to fix."""
        sign = "+" if self.ok else "-" if self.required else "."
        line = f"{sign} {self.part:<13}{self.found}"
        return line if self.ok else f"{line} (needed for {self.purpose})\n{'':15}{self.mend}"


def examine() -> list[Finding]:
    """All findings, those that every lesson needs first."""
    here = platform.python_version()
    return [
        Finding("Python", sys.version_info >= PYTHON, here, "everything", "make lab PYTHON=/path/to/python3.12", True),
        _package("numpy", "everything", required=True),
        _package("torch", "everything", required=True),
        _package("jupyterlab", "the lessons", required=True),
        _triton(),
        *(_package(name, "the language model") for name in ("safetensors", "tokenizers")),
        *_namesake(),
        _package("nbgrader", "classes that use nbgrader"),
        _bubblewrap(),
        _compiler(),
        _package("cuda-core", "CUDA C++ on a GPU"),
        _gpu(),
    ]


def pins() -> dict[str, str]:
    """The versions in constraints.txt; empty if the file is not there."""
    text = CONSTRAINTS.read_text() if CONSTRAINTS.exists() else ""
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.M))


def _package(name: str, purpose: str, required: bool = False) -> Finding:
    """A package; a version other than the pinned one is named, but is good enough to go on."""
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, False, "missing", purpose, f"{INSTALL} {name}", required)
    pinned = pins().get(name, found)
    same = found.split("+")[0] == pinned
    said = found if same else f"{found}; the course is tested with {pinned}"
    return Finding(name, same, said, purpose, f"{INSTALL} {name}")


def _triton() -> Finding:
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        return _package("triton", "the Triton exercises")
    said = f"not made for {platform.system()} {platform.machine()}"
    return Finding("triton", False, said, "the Triton exercises", "use Linux, or WSL on Windows; all others work here")


def _namesake() -> Iterator[Finding]:
    """Hugging Face's package `kernels`, where it is installed: transformers would import the course's in its place."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        said = f"{importlib.metadata.version('kernels')} of Hugging Face has the name of a package of the course"
        yield Finding("kernels", False, said, "importing transformers beside it", "pip uninstall kernels")


def _bubblewrap() -> Finding:
    purpose = "official grading behind a wall"
    try:
        from ..processes.wall import best_level, bwrap
    except ImportError as error:
        said = f"not tried, because {error.name} is missing"
        return Finding("bubblewrap", False, said, purpose, f"{INSTALL} {error.name}")
    if best_level() == "bubblewrap":
        return Finding("bubblewrap", True, "works", purpose, "")
    if platform.system() != "Linux":
        return Finding("bubblewrap", False, "needs Linux", purpose, "grade on a Linux machine")
    if bwrap():
        return Finding("bubblewrap", False, "not permitted by this system", purpose, USER_NAMESPACES)
    return Finding("bubblewrap", False, "missing", purpose, BUBBLEWRAP)


def _compiler() -> Finding:
    purpose = "the CUDA C++ lessons without a GPU"
    for name in ("g++", "clang++"):
        if shutil.which(name):
            return Finding("C++ compiler", True, name, purpose, "")
    return Finding("C++ compiler", False, "missing", purpose, COMPILER)


def _gpu() -> Finding:
    purpose = "measuring speed only"
    names = list(_gpus())
    if not names:
        return Finding("GPU", False, "none", purpose, "if there is one: install its driver, until nvidia-smi lists it")
    return Finding("GPU", True, ", ".join(dict.fromkeys(names)), purpose, "")


def _gpus() -> Iterator[str]:
    """The names of the NVIDIA GPUs, as the driver's own tool reports them."""
    if not shutil.which("nvidia-smi"):
        return
    said = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    if said.returncode == 0:
        yield from filter(None, map(str.strip, said.stdout.splitlines()))
