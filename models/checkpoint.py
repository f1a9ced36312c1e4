"""Models on disk, in the form of Hugging Face's checkpoints: config.json, safetensors and tokenizer.json.

Nothing in them is run, and nothing is unpickled. Read are those of the Llama and Qwen2 families.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from autograder.spec.user_error import UserError
from kernels.language_model import Config, LanguageModel, Parts, Scaling

FAMILIES = ("llama", "qwen2")
CONFIG, WEIGHTS, INDEX, TOKENIZER = "config.json", "model.safetensors", "model.safetensors.index.json", "tokenizer.json"
COMPUTED = ".rotary_emb.inv_freq"  # old checkpoints hold it, although the config says it


def load_checkpoint(
    folder: str | Path, parts: Parts | None = None, device: str = "cpu"
) -> tuple[LanguageModel, Tokenizer]:
    """A model with its weights in float32, and its tokenizer. Raises UserError if the folder holds none."""
    folder = Path(folder).expanduser()
    config = config_of(_json(folder, CONFIG))
    weights = {name: x.to(device).float() for name, x in _weights(folder).items() if not name.endswith(COMPUTED)}
    if config.tied:
        weights.pop("lm_head.weight", None)
    shapes = {name: tuple(x.shape) for name, x in weights.items()}
    if shapes != config.shapes():
        odd = sorted({name for name, _ in shapes.items() ^ config.shapes().items()})
        raise UserError(f"{folder} has not the weights that its {CONFIG} asks for: {_some(odd)}")
    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # the library raises no class of its own
        raise UserError(f"{folder / TOKENIZER} cannot be read ({error})") from None
    return LanguageModel(config, weights, parts), tokenizer


def save_checkpoint(model: LanguageModel, tokenizer: Tokenizer, folder: Path) -> None:
    """Write a model so that `load_checkpoint`, and whoever else reads checkpoints of Llama, can read it."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: x.detach().cpu().contiguous() for name, x in model.weights.items()}
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    tokenizer.save(str(folder / TOKENIZER))
    (folder / CONFIG).write_text(json.dumps(as_json(model.config), indent=2) + "\n", encoding="utf-8")


def config_of(given: dict[str, Any]) -> Config:
    """The sizes that a config.json states. Raises UserError where it asks for what the model has not."""
    family = given.get("model_type")
    rope = {"rope_theta": given.get("rope_theta", 10000.0)}
    for name in ("rope_scaling", "rope_parameters"):
        more = given.get(name) or {}
        if not isinstance(more, dict):
            raise UserError(f"its {CONFIG} has a {name} that cannot be read")
        rope |= more
    kind = rope.get("rope_type", rope.get("type", "default"))
    asked = {
        f"model_type {family!r}": family not in FAMILIES,
        f"rotation of type {kind!r}": kind not in ("default", "llama3"),
        "an activation other than silu": given.get("hidden_act", "silu") != "silu",
        "a sliding window": bool(given.get("use_sliding_window")),
        "biases in other places than queries, keys and values": bool(
            given.get("mlp_bias") or (family == "llama" and given.get("attention_bias"))
        ),
    }
    if any(asked.values()):
        odd = " and ".join(said for said, is_so in asked.items() if is_so)
        raise UserError(f"this checkpoint has {odd}; read are those of {' and '.join(FAMILIES)} without that")
    try:
        return Config(
            vocabulary=int(given["vocab_size"]),
            width=int(given["hidden_size"]),
            layers=int(given["num_hidden_layers"]),
            heads=int(given["num_attention_heads"]),
            kv_heads=int(given.get("num_key_value_heads") or given["num_attention_heads"]),
            d=int(given.get("head_dim") or given["hidden_size"] // given["num_attention_heads"]),
            hidden=int(given["intermediate_size"]),
            theta=float(rope["rope_theta"]),
            eps=float(given["rms_norm_eps"]),
            tied=bool(given.get("tie_word_embeddings", False)),
            biased=family == "qwen2",
            scaling=_scaling(rope) if kind == "llama3" else None,
        )
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise UserError(f"its {CONFIG} does not state all sizes ({error})") from None


def as_json(config: Config) -> dict[str, Any]:
    """The config.json of a model."""
    c = config
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": c.theta}
    if c.scaling:
        rope |= {"rope_type": "llama3", "factor": c.scaling.factor, "low_freq_factor": c.scaling.low}
        rope |= {"high_freq_factor": c.scaling.high, "original_max_position_embeddings": c.scaling.length}
    family = "qwen2" if c.biased else "llama"
    return {
        "architectures": [{"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM"}[family]],
        "model_type": family,
        "vocab_size": c.vocabulary,
        "hidden_size": c.width,
        "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads,
        "num_key_value_heads": c.kv_heads,
        "head_dim": c.d,
        "intermediate_size": c.hidden,
        "rope_theta": c.theta,
        "rope_parameters": rope,
        "rms_norm_eps": c.eps,
        "tie_word_embeddings": c.tied,
        "hidden_act": "silu",
    }


def _scaling(rope: dict[str, Any]) -> Scaling:
    length = rope["original_max_position_embeddings"]
    return Scaling(rope["factor"], rope["low_freq_factor"], rope["high_freq_factor"], length)


def _weights(folder: Path) -> dict[str, Tensor]:
    """All weights by name, from one file or from those that the index names."""
    names = [WEIGHTS]
    if not (folder / WEIGHTS).exists() and (folder / INDEX).exists():
        placed = _json(folder, INDEX).get("weight_map")
        if not isinstance(placed, dict):
            raise UserError(f"{folder / INDEX} cannot be read as that of a checkpoint")
        names = sorted({Path(str(name)).name for name in placed.values()})  # of this folder
    found: dict[str, Tensor] = {}
    for name in names:
        try:
            found |= load_file(folder / name)
        except (OSError, SafetensorError) as error:
            raise UserError(f"{folder / name} cannot be read ({error}); a checkpoint has its weights there") from None
    return found


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        found = json.loads((folder / name).read_text(encoding="utf-8"))
        assert isinstance(found, dict)
    except FileNotFoundError:
        raise UserError(f"{folder} is no checkpoint: it has no {name}") from None
    except (OSError, ValueError, AssertionError):
        raise UserError(f"{folder / name} cannot be read as that of a checkpoint") from None
    return found


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
