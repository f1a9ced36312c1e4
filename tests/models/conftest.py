"""Models have kernels of Triton in them, whose interpreter is chosen before any of these tests imports it."""

from autograder.spec import interpreter

interpreter.choose()
