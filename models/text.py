"""What a model is trained on, all of it at hand: the lessons' prose and Python's own help; and its vocabulary."""

from __future__ import annotations

import pydoc_data.topics
import re

import tokenizers
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers

from autograder.spec.catalogue import lessons

CODE = re.compile(r"^(?P<fence>`{3,}|:{3,}|\${2}).*?^(?P=fence)\s*$", re.S | re.M)
REFERENCE = re.compile(r"\{\w+\}`(.*?)`")
BEGIN = "<s>"  # stands before every text, token 0
FORMULA, SPAN = re.compile(r"\$\$?(.+?)\$\$?", re.S), re.compile(r"^#+ |[`*]", re.M)
HELD_OUT = 12  # one lesson of so many is kept to test on: 7, 19, ...


def texts() -> tuple[str, str]:
    """What to learn from, and the lessons that are held out."""
    prose = {lesson.number: _prose(lesson.source.read_text(encoding="utf-8")) for lesson in lessons()}
    held_out = [number for number in prose if number % HELD_OUT == 7]
    test = "\n".join(prose.pop(number) for number in held_out)
    return "\n".join([*prose.values(), *pydoc_data.topics.topics.values()]), test


def learn_vocabulary(text: str, size: int = 512) -> Tokenizer:
    """Byte-pair encoding: BEGIN, the 256 bytes, then again and again the most frequent pair as one token more.

    It stops at `size` tokens. A space belongs to the word behind it, and no token crosses into another word.
    """
    tokenizer = Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    bytes_first = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=[BEGIN], initial_alphabet=bytes_first, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(f"{BEGIN} $A", special_tokens=[(BEGIN, 0)])
    return tokenizer


def _prose(source: str) -> str:
    """A lesson without its code, its marks, and its formulas but for single letters; with lessons by their names."""
    text = REFERENCE.sub(r"\1", CODE.sub("", source))
    return SPAN.sub("", FORMULA.sub(lambda found: found[1] if found[1].isalnum() else "", text))
