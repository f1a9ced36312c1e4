"""What the person at the keyboard can fix."""


class UserError(ValueError):
    """The message says in one sentence what is wrong and what to do; the command line prints it and nothing else."""
