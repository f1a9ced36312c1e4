"""A model that speaks: text as it is written, and a conversation with a checkpoint that was made for that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

from autograder.spec.user_error import UserError
from kernels.language_model import LanguageModel

UNFINISHED = "\N{REPLACEMENT CHARACTER}"  # how a token ends that holds a part of a character only


def stream(
    model: LanguageModel, tokenizer: Tokenizer, prompt: Sequence[int], n: int, temperature: float = 0.0,
    stop: Sequence[int] = (),
) -> Iterator[str]:  # fmt: skip
    """What the model writes behind a prompt, in pieces as they come: at most n tokens, up to one of `stop`."""
    tokens: list[int] = []
    said = ""
    for token in model.generate(prompt, n, temperature, stop):
        tokens.append(token)
        text = str(tokenizer.decode(tokens))
        if not text.endswith(UNFINISHED):
            yield text[len(said) :]
            said = text


def speak(model: LanguageModel, tokenizer: Tokenizer, begin: str, n: int = 100, temperature: float = 0.7) -> None:
    """Print what a model writes behind a beginning, as it comes."""
    print(begin, end="", flush=True)
    for piece in stream(model, tokenizer, tokenizer.encode(begin).ids, n, temperature):
        print(piece, end="", flush=True)
    print()


class Chat:
    """A conversation with a checkpoint whose folder says how one is written down, which is its chat template."""

    def __init__(self, folder: str | Path, model: LanguageModel, tokenizer: Tokenizer):
        self.folder, self.model, self.tokenizer = Path(folder).expanduser(), model, tokenizer
        self.settings = _settings(self.folder)
        self.messages: list[dict[str, str]] = []

    def say(self, text: str, n: int = 200, temperature: float = 0.7) -> None:
        """Say something, and print the answer as it comes; both are remembered."""
        self.messages.append({"role": "user", "content": text})
        prompt = self.tokenizer.encode(self.written(), add_special_tokens=False).ids
        answer = ""
        for piece in stream(self.model, self.tokenizer, prompt, n, temperature, self.stops()):
            print(piece, end="", flush=True)
            answer += piece
        print()
        self.messages.append({"role": "assistant", "content": answer})

    def written(self) -> str:
        """The conversation as the model was trained to read it, up to where its answer begins."""
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        try:
            template = environment.from_string(self.settings["chat_template"])
            text = template.render(messages=self.messages, add_generation_prompt=True, **self.settings["tokens"])
        except TemplateError as error:
            raise UserError(f"the chat template of {self.folder} cannot be followed ({error})") from None
        return str(text)

    def stops(self) -> list[int]:
        """The tokens with which an answer ends."""
        found = self.settings["stops"]
        named = (self.tokenizer.token_to_id(token) for token in found if isinstance(token, str))
        return [token for token in (*named, *found) if isinstance(token, int)]


def _settings(folder: Path) -> dict[str, Any]:
    """The chat template, the special tokens that it may name, and what ends an answer."""
    files = ("tokenizer_config.json", "config.json", "generation_config.json")
    tokens, config, generation = (
        json.loads((folder / name).read_text(encoding="utf-8")) if (folder / name).exists() else {} for name in files
    )
    template = tokens.get("chat_template")
    if (folder / "chat_template.jinja").exists():
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    if isinstance(template, list):  # several, by name
        template = next((one["template"] for one in template if one.get("name") == "default"), None)
    if not isinstance(template, str):
        raise UserError(f"{folder} has no chat template: its model goes on with a text, as in speak(...)")
    named = {name: tokens.get(name) for name in ("bos_token", "eos_token", "unk_token", "pad_token")}
    named = {name: x.get("content") if isinstance(x, dict) else x or "" for name, x in named.items()}
    stops = [named["eos_token"]]
    for given in (config.get("eos_token_id"), generation.get("eos_token_id")):
        stops += given if isinstance(given, list) else [given]
    return {"chat_template": template, "tokens": named, "stops": stops}
