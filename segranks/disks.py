"""On what kind of disk a file is, where the system tells."""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "davfs", "glusterfs", "gpfs", "lustre", "nfs", "nfs4"}
    | {"orangefs", "smb3", "smbfs", "sshfs", "s3fs", "rclone"}
)


def network_disk(path: Path) -> str:
    """Return the kind of network disk that the file is on, or would be; "" for any other."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    kind = file_system(path.resolve(), mounts)
    return kind if kind in NETWORK else ""


def file_system(path: Path, mounts: str) -> str:
    """Return the kind of file system below which the path is, by a table as in MOUNTS.

    The table is described in proc_pid_mountinfo(5): what is mounted last lies on top. Of one that
    a program provides ("fuse.sshfs"), the program.
    """
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        point = Path(_unescaped(fields.split(" ")[4]))
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), rest.split(" ")[0]
    return kind.removeprefix("fuse.")


def _unescaped(name: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), name)
