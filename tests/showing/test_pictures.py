"""README's pictures are those that the notebooks draw: `PYTHONPATH=. python .ci/pictures.py` takes them anew."""

import re
import runpy

import pytest
from PIL import Image, ImageChops

from autograder.spec.folders import ROOT

DRAWN = runpy.run_path(str(ROOT / ".ci" / "pictures.py"))["of_parts"]()


@pytest.mark.parametrize("name", DRAWN)
def test_a_part_s_picture_is_the_notebook_s(name):
    with Image.open(ROOT / "docs" / name) as shown:
        assert shown.size == DRAWN[name].size and ImageChops.difference(shown, DRAWN[name]).getbbox() is None


def test_readme_shows_all_of_them_and_no_other():
    shown = re.findall(r"\(docs/([\w-]+\.png)\)", (ROOT / "README.md").read_text())
    assert sorted(shown) == sorted([*DRAWN, "card.png"]) == sorted(path.name for path in ROOT.glob("docs/*.png"))
