"""The folder of a child that cannot be given a file system of its own: how full it is, and how it goes."""

from __future__ import annotations

import contextlib
import os
import secrets


def home_of(pid: int) -> str:
    return os.path.join(os.environ["HOME"], f"child-{pid}")


def own_home() -> None:
    """Move to an empty home, the only folder to which Landlock then lets this process write.

    Triton, which keeps there what it compiles, has asked for the home when it was imported.
    """
    home = home_of(os.getpid())
    os.mkdir(home, mode=0o700)
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "TRITON_HOME"), home))
    os.chdir(home)


def is_full(folder: str, size: int, files: int) -> bool:
    """Whether more than `size` bytes or `files` files and folders lie there, or what cannot be looked into."""
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    size, files = size - entry.stat(follow_symlinks=False).st_size, files - 1
                    if size < 0 or files < 0:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:  # it goes meanwhile
            continue
        except OSError:  # closed to its owner, or nested deeper than names may be
            return True
    return False


def remove(folder: str) -> None:
    """Remove a folder as far as that is possible: one that is not there, too.

    In it others may be closed to their owner, and nested deeper than calls or names may be: so each is emptied from
    above, and what lies in it moved up beside it.
    """
    with contextlib.suppress(OSError):
        while inner := _folders_in(folder):
            for path in inner:
                for deeper in _folders_in(path):
                    os.chmod(deeper, 0o700)
                    os.rename(deeper, os.path.join(folder, secrets.token_hex(16)))
                os.rmdir(path)
        os.rmdir(folder)


def _folders_in(folder: str) -> list[str]:
    """The folders that lie in a folder, which then holds nothing else."""
    os.chmod(folder, 0o700)
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found.append(entry.path)
            else:
                os.unlink(entry.path)
    return found
