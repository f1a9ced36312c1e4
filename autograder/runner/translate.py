"""Triton's compiler without a GPU: the kernels that a launcher launches, as PTX for two generations of GPUs.

Works only in a process in which Triton does not interpret. Assembling the PTX, which takes another process, is left to
the caller.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .arrays import as_torch, copy_argument
from .failure import Failure, Kind, describe, plainly, said_of
from .interpreter.autotune import first_configuration_only

# Ampere (A100) and Hopper (H100, H200), with the bytes of shared memory that one block may use there.
TARGETS = {"sm_80": 166_912, "sm_90": 232_448}
IN_BFLOAT16 = "sm_90"  # is given bfloat16 where the other is given float16
OF_FLOAT16 = re.compile(r"\.f16(x2)?\b")  # in PTX
OPERATION = re.compile(r"^\s*(?:%[\w:, %]+ = )?\"?([a-z_]+\.\w+)", re.M)  # of what Triton makes of a kernel's text
PRINTS = re.compile(r"(?<![\w.])print\(")
PRINTED = "print shows nothing that is only known on the GPU: take it out, or use tl.device_print"
# Raised by what Triton's compiler calls.
OF_PYTHON = (AssertionError, AttributeError, IndexError, TypeError, ValueError)


@dataclass
class Translated:
    """One kernel for one target: its PTX, the bytes of shared memory it needs, and how often its text asks for each
    operation; or why there is none.
    """

    kernel: str
    target: str
    ptx: str = ""
    shared: int = 0
    failure: Failure | None = None
    operations: Counter[str] = field(default_factory=Counter)


def translate(
    function: Callable[..., Any], arguments: dict[str, Any], targets: Sequence[str] = tuple(TARGETS)
) -> list[Translated]:
    """Call the launcher once for each target with every launch replaced by a compilation.

    What the launcher itself raises counts as a failure of the kernel it was about to launch. A target stops at its
    first failure, and launching nothing for a target is a failure too. Empty where Triton's compiler is missing or
    not the version known here.
    """
    found: list[Translated] = []
    if not can_compile():
        return found
    first_configuration_only()
    for target in targets:
        given = {name: as_torch(copy_argument(value)) for name, value in arguments.items()}
        wide = target == IN_BFLOAT16 and _in_bfloat16(given)
        before = len(found)
        with launches_compiled(target, found):
            try:
                function(**given)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                found.append(Translated(_kernel_of(error), target, failure=say(error)))
        if len(found) == before:
            nothing = Failure("NoLaunch", "at the size of a real problem no kernel is launched")
            found.append(Translated("the launcher", target, failure=nothing))
        for kernel in found[before:] if wide else ():
            if not kernel.failure and OF_FLOAT16.search(kernel.ptx):
                kernel.failure = Failure(Kind.LEAVES_BFLOAT16, "numbers above 65,504 are infinite there")
    return found


def _in_bfloat16(given: dict[str, Any]) -> bool:
    """Put bfloat16 in place of float16 among the arguments. Whether there was any."""
    import torch

    narrow = [name for name, value in given.items() if getattr(value, "dtype", None) is torch.float16]
    given.update({name: given[name].to(torch.bfloat16) for name in narrow})
    return bool(narrow)


class NoDevice:
    """Stands in for the driver that Triton asks about devices. capability: that of the GPU to compile for, e.g. 90."""

    def __init__(self, capability: int):
        self.capability = capability

    def get_current_target(self) -> Any:
        from triton.backends.compiler import GPUTarget

        return GPUTarget("cuda", self.capability, 32)

    def get_current_device(self) -> int:
        return self.capability  # Triton caches its kernels by device

    def get_current_stream(self, device: int) -> int:
        return 0


@contextmanager
def launches_compiled(target: str, found: list[Translated]) -> Iterator[None]:
    """Within this context a launch only compiles the kernel for `target` and appends the outcome to `found`.

    What is left of it lies in a folder of its own in Triton's cache: Triton 3.6 takes no note of the hook there, and
    would find a kernel without code when it is to launch the same.
    """
    from triton import knobs
    from triton.runtime import driver
    from triton.runtime.jit import JITFunction

    run = JITFunction.run

    def compiled(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = self.fn.__name__
        try:
            kernel = run(self, *args, **(kwargs | {"warmup": True}))
        except BaseException as error:
            lines, first = inspect.getsourcelines(self.fn)
            begins = next(i for i, line in enumerate(lines) if line.lstrip().startswith("def "))
            error.kernel, error.first_line = name, first + begins  # type: ignore[attr-defined]
            raise
        shared = kernel.metadata.shared
        failure = None
        if shared > TARGETS[target]:
            failure = Failure("OutOfResources", f"it wants {shared} bytes of shared memory; a block has "
                              f"{TARGETS[target]} there, so take smaller tiles or fewer stages")  # fmt: skip
        if not any((t.kernel, t.target, t.ptx) == (name, target, kernel.asm["ptx"]) for t in found):
            operations = Counter(OPERATION.findall(kernel.asm.get("source", "")))
            found.append(Translated(name, target, kernel.asm["ptx"], shared, failure, operations))
        return kernel

    driver.set_active(NoDevice(int(target.removeprefix("sm_"))))
    JITFunction.run = compiled
    knobs.runtime.add_stages_inspection_hook = _stop_at_ptx
    with knobs.cache.scope():
        knobs.cache.dir = os.path.join(knobs.cache.dir, "ptx")
        try:
            yield
        finally:
            JITFunction.run = run
            knobs.runtime.add_stages_inspection_hook = None


def _stop_at_ptx(backend: Any = None, stages: Any = None, *_: Any) -> tuple[str, str]:
    """Triton's hook into its stages; called without arguments it names the change, so that caches tell them apart."""
    if stages is not None:
        stages["cubin"] = lambda source, metadata: b""
    return "tilewise", "stop at ptx"


def _kernel_of(error: BaseException) -> str:
    return getattr(error, "kernel", "") or "the launch"


def say(error: BaseException) -> Failure:
    """A compiler's error as data: its innermost reason, and the line of the kernel that led there."""
    failure = describe(error)
    node, source = getattr(error, "node", None), getattr(error, "src", None)
    if node is not None and hasattr(node, "lineno") and source:
        failure.line = getattr(error, "first_line", 1) + node.lineno - 1
        failure.text = source.splitlines()[node.lineno - 1].strip()
    reason = error
    while reason.__cause__ is not None:
        reason = reason.__cause__
    said = (getattr(reason, "error_message", None) or said_of(reason)).strip() or "no reason given"
    said = plainly(said.splitlines()[-1][:300])
    is_of_python = isinstance(reason, OF_PYTHON)
    if unwrapped := re.match(r"(\w+Error)\((?:(['\"])(.*)\2)?\)", said):  # the compiler itself failed
        is_of_python, meant = True, unwrapped[1] in ("AssertionError", "TypeError", "ValueError")
        said = unwrapped[3] if meant and unwrapped[3] else f"Triton's language has no such construct ({said})"
    failure.kind, failure.message = type(reason).__name__, said
    if PRINTS.search(failure.text):
        failure.kind, failure.message = "CompilationError", PRINTED
    elif failure.text and is_of_python:
        failure.kind, failure.message = "CompilationError", f"in `{failure.text}`: {said}"
    return failure


def warm_up(call: Callable[[Callable[..., Any], dict[str, Any]], Any] = translate) -> None:
    """`call` the launcher of a one-line kernel, so that what Triton does once per process has been done."""
    source = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x):\n    tl.store(x, 1.0)\n"
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/warm.py"
        with open(path, "w") as file:
            file.write(source)
        namespace: dict[str, Any] = {"__name__": "warm"}
        exec(compile(source, path, "exec"), namespace)
        import numpy as np

        call(lambda x: namespace["kernel"][(1,)](x), {"x": np.zeros(1, np.float32)})


def stay_so() -> None:
    """Triton asks the environment at every kernel whether to interpret it; from here on the answer is fixed."""
    try:
        from triton import knobs
    except ImportError:
        return
    knobs.runtime.interpret = bool(knobs.runtime.interpret)


def can_compile() -> bool:
    """Whether this process has Triton's compiler, with the hook that we need."""
    try:
        from triton import knobs
        from triton.runtime.jit import JITFunction
    except ImportError:
        return False
    fits = hasattr(knobs.runtime, "add_stages_inspection_hook") and hasattr(JITFunction, "run")
    return sys.platform == "linux" and fits and not knobs.runtime.interpret
