"""The slider of `trace`: one picture at a time, chosen with the mouse or the arrow keys."""

from __future__ import annotations

import anywidget
import traitlets

SHOW = """
function render({ model, el }) {
  const frames = model.get("frames");
  const picture = document.createElement("div");
  const slider = Object.assign(document.createElement("input"), {
    type: "range", min: 0, max: frames.length - 1, value: model.get("step"), style: "width: 360px",
  });
  slider.setAttribute("aria-label", "step");
  slider.dataset.lmSuppressShortcuts = "true";  // JupyterLab takes the arrow keys otherwise
  const show = () => { picture.innerHTML = frames[slider.value]; };
  slider.addEventListener("input", () => { model.set("step", Number(slider.value)); model.save_changes(); show(); });
  model.on("change:step", () => { slider.value = model.get("step"); show(); });
  el.append(slider, picture);
  show();
}
export default { render };
"""


class Slider(anywidget.AnyWidget):
    """`frames` are the pictures (SVG), `step` is the number of the one that is shown, counted from 0."""

    _esm = SHOW
    frames = traitlets.List(traitlets.Unicode()).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
