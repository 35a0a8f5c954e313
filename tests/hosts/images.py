"""What hosts run: a copy of the code with its static files, as in the images of the Dockerfile.

The next version of the code has one more migration, for a rolling upgrade: it adds a column with a
default in the database, and an index, to the table of judgements, and writes the column.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.installation import REPOSITORY

PACKAGES = (
    "annotation",
    "api",
    "crowd",
    "evaluation",
    "operations",
    "people",
    "segranks",
    "webhooks",
)
UPGRADED = "0099_upgraded"
MIGRATION = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", {latest!r})]
    operations = [
        migrations.AddField("judgement", "upgraded", models.BooleanField(db_default=False)),
        migrations.AddIndex(
            "judgement", models.Index(fields=["created"], name="judgements_by_time")
        ),
    ]
"""
# The field in the model, before one that is there already.
BEFORE = "    seconds = models.FloatField("
FIELD = "    upgraded = models.BooleanField(default=True, db_default=False)\n"


def build(image: Path) -> None:
    """Copy the code of this checkout, and collect its static files."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    for name in files.stdout.split("\0"):
        source = REPOSITORY / name
        if name and source.is_file():
            (image / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, image / name)
    # The environment in which the harness runs.
    (image / ".venv").unlink(missing_ok=True)
    (image / ".venv").symlink_to(Path(sys.prefix).resolve())
    environment = {"SEGRANKS_DATA": str(image / "building"), "STATIC_ROOT": str(image / ".static")}
    collect = ["manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run([sys.executable, *collect], cwd=image, env=environment, check=True)
    shutil.rmtree(image / "building", ignore_errors=True)
    _compile(image)


def build_next(image: Path, from_image: Path) -> None:
    """Copy an image, and add the migration and its field."""
    shutil.copytree(from_image, image, symlinks=True)
    migrations = image / "annotation" / "migrations"
    latest = max(path.stem for path in migrations.glob("0*.py"))
    (migrations / f"{UPGRADED}.py").write_text(MIGRATION.format(latest=latest))
    model = image / "annotation" / "models" / "judgements.py"
    before, found, after = model.read_text().partition(BEFORE)
    assert found, f"{model} has no field like {BEFORE!r}"
    model.write_text(before + FIELD + found + after)
    _compile(image)


def _compile(image: Path) -> None:
    command = [sys.executable, "-m", "compileall", "-q", *PACKAGES]
    subprocess.run(command, cwd=image, check=True)
