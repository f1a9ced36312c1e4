"""The pins have one source, requirements.lock; what follows from it and what it follows from agree. Without network."""

import re
import runpy
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from autograder.shell import doctor
from autograder.spec.folders import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
FOLLOWING = runpy.run_path(str(ROOT / ".ci" / "pins.py"))["files"]()


def pins(text):
    """Version and marker by name."""
    found = map(Requirement, re.findall(r"^\s*(?:- )?(\S+==[^\\\n]+)", text, re.M))
    return {canonicalize_name(r.name): (str(r.specifier), str(r.marker or "")) for r in found}


def wanted(*extras):
    project = PROJECT["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return [Requirement(text) for texts in lists for text in texts]


@pytest.mark.parametrize("name", FOLLOWING)
def test_what_follows_from_the_lock_is_as_make_lock_writes_it(name):
    assert (ROOT / name).read_text() == FOLLOWING[name], "run make lock"


def test_the_constraints_are_the_lock():
    assert pins((ROOT / "constraints.txt").read_text()) == pins(LOCK) and len(pins(LOCK)) > 100


def test_environment_yml_pins_what_a_learner_needs_and_nothing_else():
    text = (ROOT / "environment.yml").read_text()
    assert {canonicalize_name(r.name) for r in wanted()} == set(pins(text)) and pins(text).items() <= pins(LOCK).items()
    (python,) = re.findall(r"- python=(\S+)$", text, re.M)
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(python)


def test_the_lock_is_of_what_pyproject_asks_for():
    locked = pins(LOCK)
    by_hand = [Requirement(text) for text in PROJECT["tool"]["uv"]["constraint-dependencies"]]
    for requirement in (*wanted(*PROJECT["project"]["optional-dependencies"]), *by_hand):
        pinned = locked[canonicalize_name(requirement.name)][0].removeprefix("==")
        assert requirement.specifier.contains(pinned), f"{requirement} against {pinned}"


def test_every_pin_has_hashes_and_the_lock_names_no_index():
    entries = re.split(r"\n(?=\S)", "\n".join(line for line in LOCK.splitlines() if not line.startswith("#")))
    assert all(re.fullmatch(r"\S+==[^\\]+( \\\n    --hash=sha256:[0-9a-f]{64})+", entry) for entry in entries)


def test_the_doctor_reads_the_pins():
    assert doctor.pins()["torch"] == "2.13.0" and set(doctor.pins()) >= {r.name for r in wanted("class")}
