"""What the tests hand in: two loose files, and notebooks of given cells."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from autograder.spec.catalogue import exercises
from autograder.spec.notebook import SOLVE

RIGHT = "import numpy as np\n\n\n" + exercises()["log_sum_exp"].source
WRONG = "import numpy as np\n\n\ndef naive_softmax(x):\n    return np.exp(x)\n"


def cell(name, source):
    """The cell that answers the exercise called `name`."""
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": SOLVE + name}})


def notebook_text(*cells):
    return nbformat.writes(new_notebook(cells=list(cells)))
