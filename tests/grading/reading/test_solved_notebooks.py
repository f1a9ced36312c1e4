"""Nobody who hands in a solved lesson, with all that it shows beside the answers, is suspected or loses a line."""

import pytest

from autograder.grading.reading.limited import reader
from autograder.grading.reading.surroundings import texts_for
from autograder.grading.reading.suspicion import reached_by
from autograder.spec.catalogue import exercises, lessons
from autograder.spec.folders import SOLUTIONS


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_a_solved_lesson_is_not_suspected(lesson):
    submission = reader().read(SOLUTIONS / f"{lesson.stem}.ipynb", "ada")
    assert set(submission.answers) == {exercise.name for exercise in lesson.exercises} and submission.notes == ()
    texts = {name: texts_for(exercises()[name], submission.answers) for name in submission.answers}
    assert [name for name in texts if reached_by(exercises()[name], texts[name])] == []
