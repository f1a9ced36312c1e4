"""Take the README's pictures, on white: of each part from the solved notebooks, docs/part-*.png, and docs/card.png.

`PYTHONPATH=. python .ci/pictures.py` takes all of them, after a change of these notebooks; the card needs
playwright and a Chromium.
"""

import base64
import io
import json
from pathlib import Path

from PIL import Image

from autograder.judging.diagnosis.mistakes import mutate
from autograder.notebook.check import verdict_of
from autograder.showing import card
from autograder.spec.catalogue import exercise_named

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {  # of a part: the lesson, and which of its pictures
    "part-1": ("online_softmax", 1),
    "part-2": ("tiled_attention", 1),
    "part-3": ("flash_backward", 1),
    "part-4": ("tensor_cores", 1),
    "part-5": ("paged_attention", 1),
    "part-6": ("language_model", 1),
    "part-7": ("ring_attention", 2),
}


def pictures(topic: str) -> list[bytes]:
    notebook = json.loads(next(ROOT.glob(f"solutions/[0-9][0-9]_{topic}.ipynb")).read_text())
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", []))
    found = (output.get("data", {}).get("image/png") for output in outputs)
    return [base64.b64decode(picture) for picture in found if picture]


def of_parts() -> dict[str, Image.Image]:
    """Those of the notebooks, on white, by the names of their files."""
    found = {}
    for name, (topic, number) in PICTURES.items():
        picture = Image.open(io.BytesIO(pictures(topic)[number - 1])).convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        found[f"{name}.png"] = Image.alpha_composite(white, picture).convert("RGB")
    return found


def wrong_card(exercise_name: str, mistake: str) -> bytes:
    """The card of a wrong answer, as a notebook shows it."""
    from tests.browser import BROWSER, playwright

    exercise = exercise_named(exercise_name)
    mutant = next(mutant for mutant in exercise.mutants if mistake in mutant.name)
    shown = card.html(verdict_of(mutate(exercise, mutant)))
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 860, "height": 100}, device_scale_factor=1.5)
        page.set_content(f'<body style="font:14px sans-serif;margin:16px;width:820px">{shown}')
        picture = page.screenshot(full_page=True)
        browser.close()
    return picture


if __name__ == "__main__":
    docs = ROOT / "docs"
    (docs / "card.png").write_bytes(wrong_card("lazy_attention", "accumulator is not rescaled"))
    for name, picture in of_parts().items():
        picture.save(docs / name, optimize=True)
