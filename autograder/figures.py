"""How the lessons' figures look: one palette, and what makes them legible on a light page and on a dark one."""

from __future__ import annotations

import matplotlib.pyplot as plt
from cycler import cycler
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.typing import ColorType

# Okabe and Ito's colours, which are told apart without colour vision. PALE and GREY lie behind what matters; the page
# shines through GREY, which is light on a light page and dark on a dark one.
BLUE, GREEN, ORANGE, RED = "#0072B2", "#009E73", "#E69F00", "#D55E00"
SKY, PINK, YELLOW = "#56B4E9", "#CC79A7", "#F0E442"
PALE, GREY = "#A6CEE3", "#80808038"
FOR_SHAPES = (ORANGE, SKY, YELLOW, PALE)  # letters in these cannot be read on a light page
INK = "#7A7A7A"  # of letters, axes and arrows: 4.3 times as bright as #111, and white 4.3 times as bright as it

plt.rcParams.update(
    {
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": cycler(color=[BLUE, RED, GREEN, ORANGE, PINK, SKY]),
        "legend.frameon": False,
        "figure.dpi": 100,
    }
)


def show(figure: Figure) -> None:
    """Show a figure whose ground is the page's: no page shines through its shapes, and letters in them can be read."""
    for ax in figure.axes:
        for patch in ax.patches:
            red, green, blue, alpha = to_rgba(patch.get_facecolor())
            if 0 < alpha < 1 and patch.get_facecolor() != to_rgba(GREY):
                white = 1 - alpha
                patch.set_alpha(None)
                patch.set_facecolor((white + alpha * red, white + alpha * green, white + alpha * blue))
    figure.canvas.draw()  # now letters have a place
    for ax in figure.axes:
        for text in filter(Text.get_text, ax.texts):
            if ground := _ground(ax, text):
                over = "black" if _luminance(to_rgb(ground)) > 0.18 else "white"
                text.set_color(INK if ground == to_rgba(GREY) else over)
            elif text.get_color() in FOR_SHAPES:
                text.set_color(INK)
        for patch in ax.patches:
            if isinstance(patch, Rectangle) and patch.get_edgecolor() == to_rgba("white"):
                _set_apart(patch, ax)
    if "inline" in plt.get_backend():  # whose own show puts a white ground below those with letters along the axes
        display(figure)
        plt.close(figure)
    else:
        plt.show()


def _set_apart(shape: Rectangle, ax: Axes) -> None:
    """Instead of its white border leave a gap of whole pixels, in which the page is seen.

    Edges are drawn at whole pixels: of gaps of a half or one and a half some would be lost, or twice as wide as others.
    """
    origin, unit = ax.transData.transform([(0, 0), (1, 1)])
    gap = max(1, round(shape.get_linewidth() / 72 * ax.figure.dpi))
    across, down = gap / 2 / abs(unit - origin)
    x, y, width, height = shape.get_x(), shape.get_y(), shape.get_width(), shape.get_height()
    shape.set_bounds(x + across, y + down, width - 2 * across, height - 2 * down)
    shape.set_edgecolor("none")


def _ground(ax: Axes, text: Text) -> ColorType | None:
    """The colour of the shape, a rectangle, that the middle of a text lies on; None for the page."""
    box = Text.get_window_extent(text)  # of an annotation without its arrow
    middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    shapes = [patch for patch in reversed(ax.patches) if patch.get_window_extent().contains(*middle)]  # topmost first
    own = text.get_bbox_patch()
    filled = [patch for patch in (own, *shapes) if patch and to_rgba(patch.get_facecolor())[3]]
    return max(filled, key=lambda patch: (patch is own, patch.get_zorder())).get_facecolor() if filled else None


def _luminance(colour: tuple[float, float, float]) -> float:
    """Relative luminance as WCAG defines it; above 0.18 black has more contrast than white."""
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
