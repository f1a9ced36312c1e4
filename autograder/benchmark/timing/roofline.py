"""What the device can do: copy and matmul as measured in the same run, exponentials from its data sheet.

Attention needs one exponential for every score, and the special function units make 16 of them per clock on each
multiprocessor (CUDA C++ Programming Guide, arithmetic instructions, compute capability 8.0 to 10.0). With the products
at `matmul` and d values per head, a kernel that does one after the other cannot pass the serial ceiling; one that
overlaps them perfectly is bound by the slower of the two.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from dataclasses import dataclass
from typing import Any

import torch

from ..problems.attention import Attention
from ..problems.sizes import Problem
from .clock import Clock, fastest, random_like

EXP_PER_CLOCK = 16  # on each multiprocessor
COPIED, MATMUL = 1 << 30, 8192  # bytes; rows and columns
MARGIN = 1.1  # a result above a ceiling by less than this is the noise of two measurements


@dataclass(frozen=True)
class Device:
    """The GPU as it describes itself. clock_ghz: the highest clock of its multiprocessors, 0 if it does not say."""

    name: str
    capability: str
    sms: int
    clock_ghz: float
    l2_mib: float
    memory_gib: float


@dataclass(frozen=True)
class Ceilings:
    """Bytes in and out, floating-point operations in bf16, and exponentials, each per second; 0: not known."""

    copy: float
    matmul: float
    exp: float

    def overlapped(self, problem: Problem) -> float:
        """Work per second if everything that can overlap does: that of the slowest part alone."""
        if not isinstance(problem, Attention):
            return self.copy
        return min(self.matmul, self._exp(problem) or self.matmul)

    def serial(self, problem: Problem) -> float:
        """Work per second if the exponentials wait for the products and the products for them."""
        if not isinstance(problem, Attention) or not self.exp:
            return self.overlapped(problem)
        return 1 / (1 / self.matmul + 1 / self._exp(problem))

    def highest(self, problem: Problem) -> float:
        """What no kernel can exceed. Exponentials are left out: polynomials can compute them elsewhere."""
        return self.matmul if isinstance(problem, Attention) else self.copy

    def _exp(self, problem: Attention) -> float:
        return self.exp * problem.work / problem.exponentials


def ceilings(clock: Clock, device: Device) -> Ceilings:
    """Measure copy and matmul; the fastest of several calls."""
    size = min(COPIED, int(device.memory_gib * 2**30) // 16)
    return Ceilings(_copy_rate(clock, size), _matmul_rate(clock), EXP_PER_CLOCK * device.sms * device.clock_ghz * 1e9)


def _copy_rate(clock: Clock, size: int) -> float:
    x = random_like((size // 4,), torch.float32, clock.device)
    y = torch.empty_like(x)
    return 2 * size / fastest(clock, lambda: y.copy_(x), 20) * 1e3


def _matmul_rate(clock: Clock) -> float:
    a, b = (random_like((MATMUL, MATMUL), torch.bfloat16, clock.device) for _ in range(2))
    return 2 * MATMUL**3 / fastest(clock, lambda: a @ b, 20) * 1e3


def this_device() -> Device:
    """The current CUDA device."""
    seen = torch.cuda.get_device_properties(torch.cuda.current_device())
    return Device(
        seen.name,
        f"{seen.major}.{seen.minor}",
        seen.multi_processor_count,
        _clock_ghz(seen),
        seen.L2_cache_size / 2**20,
        round(seen.total_memory / 2**30, 1),
    )


def versions() -> dict[str, str]:
    """The versions of everything on which a time depends, as far as installed."""
    from ... import __version__

    found = {"course": __version__, "python": platform.python_version(), "torch": torch.__version__}
    found["cuda"] = torch.version.cuda or ""
    cudnn = torch.backends.cudnn.version() if torch.backends.cudnn.is_available() else None
    found["cudnn"] = f"{cudnn // 10_000}.{cudnn // 100 % 100}.{cudnn % 100}" if cudnn else ""
    try:
        import triton

        found["triton"] = triton.__version__
    except ImportError:
        pass
    found["driver"] = _ask_driver("driver_version")
    return {name: value for name, value in found.items() if value}


def _clock_ghz(seen: Any) -> float:
    kilohertz = getattr(seen, "clock_rate", 0)
    said = "" if kilohertz else _ask_driver("clocks.max.sm")
    return kilohertz / 1e6 if kilohertz else float(said) / 1e3 if said.isdigit() else 0.0


def _ask_driver(what: str) -> str:
    """One value from nvidia-smi for the first GPU; "" if it does not answer."""
    if not shutil.which("nvidia-smi"):
        return ""
    command = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits", "--id=0"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""
