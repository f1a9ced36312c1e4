# annotated types
import warnings
import torch
from torch import Tensor
from typing import Callable, TypeVar, Generic, Optional, Literal, Annotated

warnings.filterwarnings("ignore")
torch.set_printoptions(precision=4)
torch.manual_seed(1337)

T = TypeVar("T")
Rows = Annotated[Tensor, "(R,)"]


def online_step(o: Tensor, m: Rows, l: Rows, s: Rows, v: Tensor) -> tuple[Tensor, Rows, Rows]:
    m_new = torch.max(m, s)
    c = m_new.where(m_new != -torch.inf, torch.tensor(0.0))
    w = torch.stack([l * (m - c).exp(), (s - c).exp()])
    l_new = w.sum(0)
    w = w / l_new.where(l_new != 0, torch.tensor(1.0))
    return w[0].unsqueeze(-1) * o + w[1].unsqueeze(-1) * v, m_new, l_new
