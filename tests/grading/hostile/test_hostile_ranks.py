"""A rank that never ends, or takes its process with it, costs its own exercise and no other."""

import pytest

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.grading.screening.python import reaches_for
from autograder.processes.child_link import Limits
from autograder.spec.catalogue import exercise_named

RING = """
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    if dist.get_rank() == 1:
        {}
    dist.recv(q.contiguous(), src=1)
    return attend(q, k, v)
"""
HOSTILE = {
    "while True: pass": ("timeout", "did not finish"),
    "raise SystemExit(0)": ("error", "SystemExit"),
}


@pytest.mark.no_cover
@pytest.mark.parametrize("does", HOSTILE)
def test_a_hostile_rank_costs_only_its_own_exercise(does):
    status, said = HOSTILE[does]
    text = exercise_named("token_order").answer + RING.format(does)
    answers = read_answers(Files("somebody", (("answer.py", text.encode()),)))
    result = grade_submission(answers, ["ring_attention", "token_order"], "secret", Limits(seconds=2.0))
    ring, order = result["exercises"]
    assert (ring["status"], ring["points"]) == (status, 0.0)
    assert said in str(ring)
    assert (order["status"], order["points"]) == ("pass", 3.0)


@pytest.mark.parametrize(
    "does", ["dist.all_reduce = None", "dist.kept = q", "dist.init_process_group()", "dist.new_group()"]
)
def test_what_no_answer_needs_of_torch_distributed_is_flagged(does):
    assert "dist." in (reaches_for(RING.format(does)) or "")
    assert reaches_for(RING.format("dist.isend(q, 0).wait()")) is None
