"""Take a picture of each part of the course for the README from the solved notebooks, on white: docs/part-*.png."""

import base64
import io
import json
from pathlib import Path

from PIL import Image

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


if __name__ == "__main__":
    for name, (topic, number) in PICTURES.items():
        picture = Image.open(io.BytesIO(pictures(topic)[number - 1])).convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        Image.alpha_composite(white, picture).convert("RGB").save(ROOT / "docs" / f"{name}.png", optimize=True)
