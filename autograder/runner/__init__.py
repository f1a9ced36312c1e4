"""What runs beside the learner's code, in the notebook and in the sandbox.

Imports the standard library, numpy and torch only, and nothing of the rest of the course: in an official grade this
folder is all that the sandboxed child sees of the project.
"""
