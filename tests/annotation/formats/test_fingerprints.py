import os
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint


def test_a_fingerprint_is_of_the_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")

    found = fingerprint(path)

    assert found.name == "file"
    # The example of FIPS 180-2, appendix B.1.
    assert found.sha256.startswith("ba7816bf8f01cfea")


def test_it_refuses_a_pipe_and_a_folder_and_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for name, message in (("pipe", "not a regular file"), (".", "not a regular"), ("x", "cannot")):
        with pytest.raises(InputError, match=message):
            fingerprint(tmp_path / name)
