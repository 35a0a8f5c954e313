"""`manage.py build_eflomal`: the aligner of choice, built and installed on the spot."""

import subprocess
import sys
from typing import Any

from django.conf import settings

from annotation.common.commands import Error, SegRanksCommand


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Download, build and install eflomal, which aligns words better than systran-align. It "
        "needs a C compiler, `make`, `patch`, the headers of Python, and the network. eflomal is a "
        "separate program under the GPL."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        command = ["sh", "tools/eflomal/install.sh", sys.executable]
        if subprocess.run(command, cwd=settings.RESOURCES, check=False).returncode:
            raise Error(
                "eflomal could not be built; the lines above say why. It needs a C compiler, make, "
                "the headers of Python and the network (on Debian: apt-get install gcc make patch "
                "python3-dev). Without it, systran-align aligns words."
            )
        self.stdout.write("eflomal is installed, and new projects use it.")
