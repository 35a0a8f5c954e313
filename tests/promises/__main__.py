"""Write what this version promises to keep: `python -m tests.promises`.

That are the files beside this one and, in `released`, archives and exports in a folder named after
the version. A release adds its own; what former versions promised stays: if a promise is not kept,
nothing is written, and the exit status is 1.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        os.environ |= {"SEGRANKS_DATA": name, "DJANGO_SETTINGS_MODULE": "segranks.settings"}
        os.environ.pop("DATABASE_URL", None)

        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()

        from tests.promises.archives import RELEASED, write_exports
        from tests.promises.lists import LISTS, broken

        for path, promises in LISTS.items():
            now = promises()
            if path.exists() and (lost := broken(path.read_text("utf-8").splitlines(), now)):
                sys.exit("\n".join([f"These promises in {path.name} are not kept:", *lost]))
            path.write_text("".join(f"{line}\n" for line in now), encoding="utf-8")
            print(path.name)
        call_command("migrate", verbosity=0)
        target = RELEASED / settings.VERSION
        shutil.rmtree(target, ignore_errors=True)
        write_exports(target, Path(name))
        print(f"{RELEASED.name}/{settings.VERSION}")


if __name__ == "__main__":
    main()
