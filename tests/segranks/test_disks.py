"""On what kind of disk a file is."""

from pathlib import Path

import pytest

from segranks.disks import file_system, network_disk

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
40 22 0:35 / /home rw,relatime shared:20 - nfs4 server:/home rw,vers=4.2
41 40 254:3 / /home/jana/fast\\040disk rw - xfs /dev/vdb rw
42 22 0:50 / /mnt/far rw - fuse.sshfs jana@far: rw
43 22 0:51 / /srv rw - cifs //server/srv rw
44 22 0:52 / /srv rw - tmpfs none rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/segranks.sqlite3", "ext4"),
        ("/homes/segranks.sqlite3", "ext4"),
        ("/home/jana/data/segranks.sqlite3", "nfs4"),
        ("/home/jana/fast disk/segranks.sqlite3", "xfs"),
        ("/mnt/far/segranks.sqlite3", "sshfs"),
        ("/srv/segranks.sqlite3", "tmpfs"),
    ],
)
def test_the_innermost_and_latest_mount_counts(path: str, kind: str) -> None:
    assert file_system(Path(path), MOUNTS) == kind


def test_what_the_system_does_not_tell_is_no_network_disk() -> None:
    assert file_system(Path("/home/jana"), "") == ""
    assert network_disk(Path("/proc/self/status")) == ""
