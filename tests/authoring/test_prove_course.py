"""What becomes of a part of a proof that raises."""

from autograder.authoring import prove, prove_course


def test_it_is_a_problem_of_that_part_and_the_others_go_on(monkeypatch):
    def part_problems(lesson, part):
        yield f"{part}: is wrong"
        if part == "safe_softmax":
            raise KeyError("no such case")

    monkeypatch.setattr(prove, "part_problems", part_problems)
    monkeypatch.setattr(prove_course, "in_order", lambda function, parts, names: map(function, parts))
    ((stem, problems),) = prove_course.problems_of(["01_softmax"])
    raised, *others = sorted(problems, key=lambda said: "KeyError" not in said)
    assert stem == "01_softmax" and others and all(said.endswith(": is wrong") for said in others)
    assert raised.startswith("01_softmax: the proof of safe_softmax ends with KeyError: 'no such case' (test_prove_cou")
