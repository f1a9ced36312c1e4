# Right: torch.addcmul, torch.where everywhere, named intermediate tuple unpack, French comments
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Un pas : une clé de plus.

    Voir Milakov et Gimelshein ; l'état reste normalisé.
    """
    mʹ = torch.fmax(m, s)
    zéro = torch.zeros_like(mʹ)
    repère = torch.where(mʹ == -torch.inf, zéro, mʹ)  # pour éviter (-inf) - (-inf)
    ancien, nouveau = l * (m - repère).exp(), (s - repère).exp()
    lʹ = ancien + nouveau
    diviseur = torch.where(lʹ == 0, torch.ones_like(lʹ), lʹ)
    a, b = ancien / diviseur, nouveau / diviseur
    vide = (lʹ == 0)[:, None]
    oʹ = torch.addcmul(b[:, None] * v[None, :], a[:, None], o)
    return torch.where(vide, o, oʹ), mʹ, lʹ
