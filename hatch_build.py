"""What pyproject.toml leaves to code: the dependencies of the package, and what a wheel contains
besides the modules.

In a wheel, `segranks/resources` has what is beside manage.py in a clone, and what `make` would
compile or collect there.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

RESOURCES = "segranks/resources"
# Apps with static files, and what these need.
APPS_WITH_STATIC_FILES = (
    "django.contrib.contenttypes", "django.contrib.auth", "django.contrib.admin",
    "django.contrib.staticfiles", "rest_framework", "drf_spectacular_sidecar",
)  # fmt: skip
THEIR_PACKAGES = ("Django", "djangorestframework", "drf-spectacular-sidecar", "whitenoise")
PINNED = re.compile(r"^([\w.-]+)==(\S+)$", re.MULTILINE)


def pins(path: Path) -> dict[str, str]:
    """Return the versions of the packages in a requirements file, by name, in its order.

    Those that only other packages need are left out: they stand below "What those need".
    """
    direct, _heading, _others = path.read_text(encoding="utf-8").partition("# What those need")
    return dict(PINNED.findall(direct))


def compatible(path: Path) -> list[str]:
    """Return the packages of a requirements file in the versions there or later patches of them."""
    return [f"{name}~={version}" for name, version in pins(path).items()]


class Dependencies(MetadataHookInterface):
    """The requirements files say what the package depends on."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        metadata["dependencies"] = compatible(root / "requirements-light.txt")
        metadata["optional-dependencies"] = {
            "stanza": compatible(root / "requirements.txt"),
            "models": compatible(root / "requirements-models.txt"),
        }


class Resources(BuildHookInterface[Any]):
    """Add templates, translations, collected static files, the documentation as a site, and the
    patch of eflomal to a wheel.
    """

    def dependencies(self) -> list[str]:
        versions = pins(Path(self.root) / "requirements-light.txt")
        needed = {name: versions[name] for name in THEIR_PACKAGES}
        needed |= pins(Path(self.root) / "requirements-docs.txt")
        return [f"{name}=={version}" for name, version in needed.items()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            # Then the clone has them.
            return
        root = Path(self.root)
        self.made = Path(tempfile.mkdtemp(prefix="segranks-resources-"))
        collect_static_files(root / "static", self.made / ".static")
        build_documentation(root, self.made / ".docs")
        files = [
            *(path for path in (root / "templates").rglob("*") if path.is_file()),
            *(path for path in (root / "static").rglob("*") if path.is_file()),
            *(root / "locale").rglob("*.mo"),
            *(root / "tools" / "eflomal").iterdir(),
            root / "requirements-eflomal.txt",
        ]
        build_data["force_include"] |= {
            str(path): f"{RESOURCES}/{path.relative_to(root).as_posix()}" for path in files
        } | {str(self.made): RESOURCES}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self.made)


def build_documentation(root: Path, target: Path) -> None:
    """Build the documentation as `make docs` does."""
    options = ("--config-file", root / "mkdocs.yml", "--site-dir", target)
    subprocess.run([sys.executable, "-m", "mkdocs", "build", *options], check=True)


def collect_static_files(source: Path, target: Path) -> None:
    """Collect static files as `manage.py collectstatic` does, but with a part of the packages."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    # The package is being built, so that it cannot be imported from anywhere else.
    sys.path.insert(0, str(source.parent))
    settings.configure(
        INSTALLED_APPS=APPS_WITH_STATIC_FILES,
        STATIC_URL="/static/",
        STATIC_ROOT=target,
        STATICFILES_DIRS=[source],
        STORAGES={"staticfiles": {"BACKEND": "operations.static_files.HashedStaticFiles"}},
    )
    django.setup()
    # No page uses Redoc.
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["redoc"])
