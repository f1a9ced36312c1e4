"""Where the course lies: in a checkout, or, from a wheel, among the interpreter's packages. Standard library only."""

from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2]
CHECKOUT = (PACKAGES / "pyproject.toml").exists()
ROOT = PACKAGES if CHECKOUT else PACKAGES / "tilewise"  # a wheel has a folder of its own for what is no package
LESSONS = ROOT / "lessons"
SOLUTIONS = ROOT / "solutions"
KERNELS = PACKAGES / "kernels"
SIMT = PACKAGES / "simt"
MEASURED = ROOT / "bench" / "h200.json"  # the course's own kernels and their peers, on a GPU
CONSTRAINTS = ROOT / "constraints.txt"
WORK = ROOT / "work" if CHECKOUT else Path("~/tilewise")  # a learner's own copies

# All that lies there and is the course's: nothing of it is for submitted code to see.
BESIDE = ("bench", "lessons", "results", "solutions", "tests", "work", ".git") if CHECKOUT else ("tilewise",)
OURS = ("autograder", "kernels", "models", "simt", *BESIDE)


def is_ours(filename: str) -> bool:
    """Whether a file of code is the course's own."""
    return any(Path(filename).is_relative_to(PACKAGES / name) for name in OURS if name != "work")


def ours_in(folder: str) -> list[str]:
    """The folders of the course that lie in `folder`, by the name that it has there."""
    there = Path(folder).resolve()
    found = (PACKAGES / name for name in OURS)
    return [str(folder / path.relative_to(there)) for path in found if path.is_dir() and path.is_relative_to(there)]
