"""The filter of system calls under which a child runs: which are refused, and which of their arguments."""

from __future__ import annotations

import errno
import platform
import struct

CLONE_THREAD = 0x00010000
MAP_SHARED, MAP_GROWSDOWN = 0x01, 0x0100
PR_SET_PDEATHSIG = 1
# What Python and the C library ask of a file: descriptors and flags, whether it is a terminal, how much can be read.
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = (
    0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
)  # fmt: skip

# System call numbers by machine: audit architecture, those whose arguments are looked at, those denied outright.
_CALLS = {
    "x86_64": (0xC000003E, {
        "clone": 56, "clone3": 435, "prlimit": 302, "mmap": 9, "prctl": 157, "fcntl": 72, "ioctl": 16,
    }, {
        "kill": 62, "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
        "pidfd_send_signal": 424, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440,
        "setpriority": 141, "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203,
        "sched_setattr": 314, "ioprio_set": 251, "migrate_pages": 256, "move_pages": 279,
        "socket": 41, "fork": 57, "vfork": 58, "ptrace": 101, "pivot_root": 155, "mount": 165, "umount2": 166,
        "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308,
        "process_vm_readv": 310, "process_vm_writev": 311, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
        "open_tree": 428, "move_mount": 429, "fsopen": 430, "mount_setattr": 442,
        "shmget": 29, "shmat": 30, "msgget": 68, "semget": 64, "memfd_create": 319, "memfd_secret": 447,
        "mq_open": 240, "socketpair": 53, "io_setup": 206, "inotify_init": 253, "inotify_init1": 294,
        "fanotify_init": 300, "fallocate": 285, "flock": 73, "sync": 162, "syncfs": 306, "syslog": 103,
        "truncate": 76, "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93,
        "lchown": 94, "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "setxattr": 188,
        "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199,
        "setxattrat": 463, "removexattrat": 466, "file_setattr": 469,
    }),
    "aarch64": (0xC00000B7, {
        "clone": 220, "clone3": 435, "prlimit": 261, "mmap": 222, "prctl": 167, "fcntl": 25, "ioctl": 29,
    }, {
        "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240,
        "pidfd_send_signal": 424, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440,
        "setpriority": 140, "sched_setparam": 118, "sched_setscheduler": 119, "sched_setaffinity": 122,
        "sched_setattr": 274, "ioprio_set": 30, "migrate_pages": 238, "move_pages": 239,
        "socket": 198, "ptrace": 117, "pivot_root": 41, "mount": 40, "umount2": 39, "add_key": 217,
        "request_key": 218, "keyctl": 219, "unshare": 97, "perf_event_open": 241, "setns": 268,
        "process_vm_readv": 270, "process_vm_writev": 271, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425,
        "open_tree": 428, "move_mount": 429, "fsopen": 430, "mount_setattr": 442,
        "shmget": 194, "shmat": 196, "msgget": 186, "semget": 190, "memfd_create": 279, "memfd_secret": 447,
        "mq_open": 180, "socketpair": 199, "io_setup": 0, "inotify_init1": 26, "fanotify_init": 262,
        "fallocate": 47, "flock": 32, "sync": 81, "syncfs": 267, "syslog": 116,
        "truncate": 45, "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88,
        "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
        "setxattrat": 463, "removexattrat": 466, "file_setattr": 469,
    }),
}  # fmt: skip

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def filtered() -> bytes | None:
    """A seccomp program (classic BPF) that answers EPERM to the calls above; None on a machine that is not in there.

    And to a clone() that does not make a thread; to prlimit() on another process; to memory that RLIMIT_DATA does not
    count, which is shared or grows downwards; to a prctl() by which this process would outlive its parent; and to all
    that fcntl() and ioctl() can do with a file but what Python asks of one: they lock it, have room kept for it on the
    disk that no size shows, change its attributes, or have the kernel send a signal to somebody when it is ready. What
    a file is, beside what it holds, is refused for all of them: Landlock does not ask who changes modes, owners, times
    or attributes, nor, before its third version, who truncates. What the kernel counts for a user, or for the machine,
    and not for a process (AIO, inotify, sockets in pairs), one submission could take from all others.
    """
    if platform.machine() not in _CALLS:
        return None
    architecture, asked, denied = _CALLS[platform.machine()]
    program = [_op(_LOAD, 4), _op(_EQUAL, architecture, jt=1), _op(_RETURN, _KILL), _op(_LOAD, 0)]
    if platform.machine() == "x86_64":  # the x32 numbers, which would bypass the list
        program += [_op(_AT_LEAST, 0x40000000, jf=1), _deny()]
    for number in denied.values():
        program += [_op(_EQUAL, number, jf=1), _deny()]
    program += [_op(_EQUAL, asked["clone3"], jf=1), _deny(errno.ENOSYS)]  # glibc then falls back to clone
    program += _of(asked["prlimit"], 0, [_op(_EQUAL, 0, jt=1), _deny()])
    program += _of(asked["clone"], 0, [_op(_ANY_BIT, CLONE_THREAD, jt=1), _deny()])
    program += _of(asked["mmap"], 3, [_op(_ANY_BIT, MAP_SHARED | MAP_GROWSDOWN, jf=1), _deny()])
    program += _of(asked["prctl"], 0, _none_of(PR_SET_PDEATHSIG))
    program += _of(asked["fcntl"], 1, _one_of(F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC))
    program += _of(asked["ioctl"], 1, _one_of(TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX))
    return b"".join([*program, _op(_RETURN, _ALLOW)])


def _of(call: int, argument: int, then: list[bytes]) -> list[bytes]:
    """`then`, with the lower half of an argument of this call loaded; any other call goes past it."""
    then = [_op(_LOAD, 16 + 8 * argument), *then, _op(_RETURN, _ALLOW)]
    return [_op(_EQUAL, call, jf=len(then)), *then]


def _none_of(*values: int) -> list[bytes]:
    return [op for value in values for op in (_op(_EQUAL, value, jf=1), _deny())]


def _one_of(*values: int) -> list[bytes]:
    return [*(_op(_EQUAL, value, jt=len(values) - i) for i, value in enumerate(values)), _deny()]


def _deny(error: int = errno.EPERM) -> bytes:
    return _op(_RETURN, _ERROR | error)


def _op(code: int, k: int, jt: int = 0, jf: int = 0) -> bytes:
    return struct.pack("HBBI", code, jt, jf, k)
