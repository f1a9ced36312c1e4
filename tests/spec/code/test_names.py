"""The names that code binds."""

from autograder.spec.code.names import names_bound


def test_names_that_are_bound():
    source = "import numpy as np\nimport torch.nn\nfrom a import b as c\ndef f(): import d\nclass G: pass\nx = 1"
    assert names_bound(source) == {"np", "torch", "c", "f", "G"} and names_bound("def (") == set()
