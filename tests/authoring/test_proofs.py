"""What stands in the record is not proved again, and nothing else is left out."""

from autograder.authoring import proof_cache
from tests import proofs


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


def test_a_claim_depends_on_its_content():
    assert proof_cache.key("claim", "a") != proof_cache.key("claim", "b") != proof_cache.key("other", "b")
