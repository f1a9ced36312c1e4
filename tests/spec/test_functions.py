"""What every function of the course keeps to: its length, and types where mypy is told to ask for none."""

import ast
from collections.abc import Iterator
from pathlib import Path

from autograder.spec.folders import ROOT

LINES = 60  # docstring and all


def functions(*folders: str) -> Iterator[tuple[Path, ast.FunctionDef]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    yield path, node


def test_no_function_is_a_page():
    too_long = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name}"
        for path, f in functions("autograder", "kernels", "simt")
        if (f.end_lineno or 0) - f.lineno >= LINES
    ]
    assert not too_long


def test_in_the_kernels_all_that_is_no_triton_kernel_has_types():
    """mypy lets untyped functions be there, for the sake of Triton's, and of torch.autograd.Function's ctx."""
    for path, f in functions("kernels"):
        parameters = [p for p in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs) if p.arg != "self"]
        typed = all(p.annotation for p in parameters) and (f.returns or f.name == "__init__")
        triton = any("triton.jit" in ast.unparse(decorator) for decorator in f.decorator_list)
        assert typed or triton or parameters[0].arg == "ctx", f"{path.name}: {f.name}"


def test_no_package_is_a_street():
    """At most ten modules each; a lesson's pair in exercises/ is what a lesson adds, and answers are no modules."""
    rooms = ("autograder", "simt", "models", "bench", "tests")
    folders = {path.parent for room in rooms for path in (ROOT / room).rglob("*.py") if "answers" not in path.parts}
    modules = {folder: [p for p in folder.glob("*.py") if p.name != "__init__.py"] for folder in folders}
    assert not [folder for folder, found in modules.items() if len(found) > 10 and folder.name != "exercises"]
