"""Write constraints.txt and environment.yml from requirements.lock; `make lock` makes that, and then calls this."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYTHON = "3.12"  # conda's
CONSTRAINTS = (
    "# The exact versions that the course is tested with, made by make lock: requirements.lock less the hashes.\n"
)
ENVIRONMENT = """\
# For conda: a learner's part of the pins, made by make lock. Then: pip install -c constraints.txt -e .
name: tilewise
channels: [conda-forge]
dependencies:
  - python={python}
  - pip
  - pip:
"""


def files() -> dict[str, str]:
    """The text of each file that follows from the lock, by name."""
    lock = (ROOT / "requirements.lock").read_text()
    pins = re.findall(r"^((\S+?)==.*?) \\$", lock, re.M)
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = {canonicalize_name(name): pin.removeprefix(name) for pin, name in pins}
    learner = []
    for requirement in map(Requirement, wanted):
        extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        learner.append(f"      - {requirement.name}{extras}{pinned[canonicalize_name(requirement.name)]}\n")
    return {
        "constraints.txt": CONSTRAINTS + "".join(f"{pin}\n" for pin, _ in pins),
        "environment.yml": ENVIRONMENT.format(python=PYTHON) + "".join(learner),
    }


if __name__ == "__main__":
    for name, text in files().items():
        (ROOT / name).write_text(text)
