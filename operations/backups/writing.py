"""Writing a backup: everything as it is at one moment, while people go on working."""

import hashlib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import BinaryField, ForeignKey, JSONField, Model
from django.utils import timezone

from annotation.common.snapshot import snapshot
from annotation.formats.errors import InputError
from operations.backups.records import FORMAT, VERSION, columns, line, plain

# Rows held at once; of those with columns of any size fewer.
PAGE = 1000
LARGE_PAGE = 10


def backup() -> Iterator[bytes]:
    """Yield the lines of a backup of the whole database, as it is when the first one is taken.

    Memory does not grow with the database. Raises InputError where its tables are not up to date.
    """
    digest = hashlib.sha256()
    with snapshot():
        for each in _lines():
            digest.update(each[0])
            yield each[0]
            total = each[1]
        yield line({"end": True, "rows": total, "sha256": digest.hexdigest()})


def _lines() -> Iterator[tuple[bytes, int]]:
    """Yield each line with the number of rows so far."""
    total = 0
    yield line(_header()), total
    for model in tables():
        fields = columns(model)
        yield (
            line({"table": model._meta.label_lower, "columns": [f.attname for f in fields]}),
            total,
        )
        before = total
        rows = model._base_manager.order_by("pk").values_list(*(f.attname for f in fields))
        for row in rows.iterator(chunk_size=_page(model)):
            total += 1
            yield line(plain(fields, row)), total
        yield line({"rows": total - before}), total


def _header() -> dict[str, object]:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise InputError("The tables are not up to date: run `manage.py migrate` first.")
    known = executor.loader.disk_migrations
    applied = sorted(key for key in executor.loader.applied_migrations if key in known)
    return {
        "format": FORMAT,
        "version": VERSION,
        "segranks": settings.VERSION,
        "made": timezone.now().isoformat(),
        "migrations": [list(key) for key in applied],
    }


def tables() -> list[type[Model]]:
    """Return the models of all tables, after those that they point at."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    found.sort(key=lambda model: model._meta.label_lower)
    sorter = TopologicalSorter({model: points_at(model) - {model} for model in found})
    try:
        return list(sorter.static_order())
    except CycleError:
        # Keys are checked at the end then.
        return found


def points_at(model: type[Model]) -> set[type[Model]]:
    """Return the models that its foreign keys are of, perhaps itself."""
    keys = (field for field in model._meta.concrete_fields if isinstance(field, ForeignKey))
    found = {key.remote_field.model._meta.concrete_model for key in keys}
    return {each for each in found if each is not None}


def _page(model: type[Model]) -> int:
    large = any(isinstance(field, BinaryField | JSONField) for field in columns(model))
    return LARGE_PAGE if large else PAGE
