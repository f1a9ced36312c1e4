"""Numbers for people."""

import re

import pytest

from autograder.runner.meters import METERS
from autograder.runner.meters.words import counted, in_words


@pytest.mark.parametrize("meter", [meter for meter in METERS if not meter.in_bytes], ids=lambda meter: meter.name)
def test_what_is_counted_is_in_the_singular_where_it_is_one(meter):
    for said in (meter.over, meter.used):
        assert not re.search(r"\b1 (matrix )?\w+s\b", in_words(meter, said, 1)), said
        assert re.search(r"\b2 (matrix )?\w+s\b", in_words(meter, said, 2)), said


def test_so_many_of_them():
    assert [counted(n, "token") for n in (0, 1, 2, 5000)] == ["0 tokens", "1 token", "2 tokens", "5,000 tokens"]
