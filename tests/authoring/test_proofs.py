"""What stands in the record is not proved again, and nothing else is left out."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from autograder.authoring import proof_cache
from autograder.spec.folders import ROOT
from tests import proofs, walls
from tests.systems import SYSTEMS, is_left_out


def test_what_stands_in_the_record_is_not_proved_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_PROOFS", str(tmp_path / "here"))
    monkeypatch.setattr(proofs, "RECORD", tmp_path / "proved.txt")
    proof = proofs.Proof("two and two are four", "content", lambda: ["they are five"])
    assert proof.problems() == ["they are five"]
    proofs.RECORD.write_text(f"{proof.line}\n")
    assert proof.problems() == []
    for other in (("two and two are four", "other content"), ("two and two are five", "content")):
        assert proofs.Proof(*other, proof.find).problems() == ["they are five"]


def test_the_record_holds_what_was_proved_and_nothing_that_failed(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_PROOFS", str(tmp_path / "here"))
    monkeypatch.setattr(proofs, "RECORD", tmp_path / "proved.txt")
    true, false = proofs.Proof("true", "c", list), proofs.Proof("false", "c", lambda: ["it is not"])
    monkeypatch.setattr(proofs, "all_proofs", lambda: [true, false])
    proofs.RECORD.write_text("0 what was once proved\n")
    assert proofs.main() == 1 and proofs.recorded() == {true.line}


def test_a_file_of_whole_systems_is_left_out_only_where_it_passed_with_the_same_content(monkeypatch, tmp_path):
    monkeypatch.setattr(proofs, "RECORD", tmp_path / "proved.txt")
    first, second = SYSTEMS[:2]
    proofs.RECORD.write_text(f"{proofs.of_tests(first).line}\n0 all tests of {second} pass\n")
    proofs.passed_before.cache_clear()
    try:
        assert proofs.passed_before() == {ROOT / first}
        config = Mock(rootpath=ROOT, args=["tests"])
        assert [file for file in SYSTEMS if is_left_out(ROOT / file, config)] == [first]
        assert not is_left_out(Path(proofs.__file__), config)
        config.args = [f"{ROOT / first}::test_it"]
        assert not is_left_out(ROOT / first, config), "asked for by name"
        monkeypatch.setattr(walls, "here", lambda: ["another kernel"])
        proofs.passed_before.cache_clear()
        assert proofs.passed_before() == frozenset()
    finally:
        proofs.passed_before.cache_clear()


@pytest.mark.parametrize("passes", [True, False])
def test_tests_that_fail_are_told_and_not_recorded(monkeypatch, tmp_path, passes):
    monkeypatch.setenv("TILEWISE_PROOFS", str(tmp_path / "here"))
    file = tmp_path / "test_it.py"
    file.write_text(f"def test_it():\n    assert {passes}\n")
    said = "".join(proofs.of_tests(str(file)).problems())
    assert not said if passes else "FAILED" in said and "assert False" in said


def test_every_file_of_whole_systems_is_there():
    assert [file for file in SYSTEMS if not (ROOT / file).is_file()] == [] and list(SYSTEMS) == sorted(set(SYSTEMS))


def test_a_claim_depends_on_its_content():
    assert proof_cache.key("claim", "a") != proof_cache.key("claim", "b") != proof_cache.key("other", "b")
