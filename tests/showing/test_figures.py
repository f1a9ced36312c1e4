"""Figures: letters that can be read wherever they lie, shapes that no page shines through, one palette."""

import itertools
import re

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from autograder import figures
from autograder.figures import BLUE, GREY, INK, ORANGE, RED, SKY, show
from autograder.spec.catalogue import lessons
from autograder.spec.folders import SOLUTIONS


@pytest.fixture
def ax(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    figure, made = plt.subplots()
    made.set(xlim=(0, 4), ylim=(0, 1))
    yield made
    plt.close(figure)


@pytest.mark.parametrize(
    ("colour", "alpha", "letters"),
    [(BLUE, None, "white"), (ORANGE, None, "black"), (BLUE, 0.3, "black"), ("none", None, INK)],
)
def test_letters_in_a_shape_are_black_or_white_whichever_can_be_read(ax, colour, alpha, letters):
    ax.add_patch(Rectangle((0, 0), 2, 1, fc=colour, alpha=alpha))
    inside, beside = ax.text(1, 0.5, "in it"), ax.text(3, 0.5, "beside it")
    show(ax.figure)
    assert (inside.get_color(), beside.get_color()) == (letters, INK)


@pytest.mark.parametrize(("colour", "seen"), [(ORANGE, INK), (SKY, INK), (BLUE, BLUE), (RED, RED)])
def test_letters_on_the_page_keep_a_colour_in_which_they_can_be_read(ax, colour, seen):
    letters = ax.text(1, 0.5, "program 2", color=colour)
    show(ax.figure)
    assert letters.get_color() == seen


def test_letters_in_a_frame_of_their_own_and_where_two_shapes_meet(ax):
    for x in (0, 1):
        ax.add_patch(Rectangle((x, 0), 1, 1, fc=BLUE, ec="white"))
    between = ax.text(1, 0.5, "between", ha="center")
    framed = ax.annotate("framed", (0, 0), (0.5, 0.5), bbox={"fc": "white"}, arrowprops={"arrowstyle": "->"})
    show(ax.figure)
    assert (between.get_color(), framed.get_color()) == ("white", "black")


def test_of_two_shapes_letters_are_read_against_the_upper_one(ax):
    for colour in (GREY, BLUE):
        ax.add_patch(Rectangle((0, 0), 2, 1, fc=colour))
    letters = ax.text(1, 0.5, "on both")
    show(ax.figure)
    assert letters.get_color() == "white"


def test_no_page_shines_through_a_shape(ax):
    shape = ax.add_patch(Rectangle((0, 0), 1, 1, fc="black", alpha=0.25))
    frame = ax.add_patch(Rectangle((0, 0), 1, 1, fc="none"))
    show(ax.figure)
    assert to_rgba(shape.get_facecolor()) == (0.75, 0.75, 0.75, 1) and to_rgba(frame.get_facecolor())[3] == 0
    assert to_rgba(ax.figure.get_facecolor())[3] == 0


def test_ink_is_as_far_from_white_as_from_a_dark_page():
    ink, dark = (figures._luminance(to_rgba(colour)[:3]) + 0.05 for colour in (INK, "#111111"))
    assert min(1.05 / ink, ink / dark) > 4.25


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_a_lesson_takes_colours_and_style_from_the_palette(lesson):
    code = lesson.source.read_text()
    assert re.findall(r'"#[0-9A-Fa-f]{6}"|"tab:\w+"|rcParams|dpi=100|plt\.show\(|frameon=', code) == []


def test_no_shape_of_a_lesson_is_white_which_a_dark_page_and_grey_letters_are_not_made_for():
    shape = re.compile(r'Rectangle\(.*(?:fc|facecolor)="white"')
    assert [lesson.stem for lesson in lessons() if shape.search(lesson.source.read_text())] == []


def test_no_figure_of_a_solved_notebook_asks_for_a_ground_of_its_own():
    """Which a page in the other theme would put below it."""
    assert [path.name for path in sorted(SOLUTIONS.glob("*.ipynb")) if "needs_background" in path.read_text()] == []


def test_a_white_border_is_a_gap_and_grey_lets_the_page_through(ax):
    shape = ax.add_patch(Rectangle((1, 0.2), 2, 0.6, fc=figures.GREY, ec="white", lw=2))
    letters = ax.text(2, 0.5, "skipped")
    show(ax.figure)
    assert to_rgba(shape.get_edgecolor())[3] == 0 and 1 < shape.get_x() < 1.05 and 1.9 < shape.get_width() < 2
    assert shape.get_facecolor() == to_rgba(figures.GREY) and letters.get_color() == INK


def test_gaps_are_whole_pixels_so_that_none_is_lost(ax):
    shapes = [ax.add_patch(Rectangle((0.37 * i, 0), 0.37, 1, fc="black", ec="white", lw=0.6)) for i in range(6)]
    show(ax.figure)
    edges = [ax.transData.transform([(s.get_x(), 0), (s.get_x() + s.get_width(), 0)])[:, 0] for s in shapes]
    assert [right[0] - left[1] for left, right in itertools.pairwise(edges)] == pytest.approx([1] * 5)
