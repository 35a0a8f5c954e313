"""Migrations that the former version of SegRanks can live with, which meets their tables.

In a rolling upgrade, `migrate` runs first, and old processes go on for minutes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

# The last migrations of the latest release, 1.0.0.
RELEASED = {
    "annotation": "0001_release_1_0",
    "api": "0001_release_1_0",
    "crowd": "0001_release_1_0",
    "evaluation": "0001_release_1_0",
    "people": "0001_release_1_0",
    "webhooks": "0001_release_1_0",
}
# Later migrations that this test refuses and people have found harmless, and why: for example, that
# the table has one row a project, or that a data migration changes a page of rows at a time.
REVIEWED: dict[tuple[str, str], str] = {}

HARMLESS = (
    migrations.CreateModel,
    migrations.RemoveConstraint,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)
GONE = "old processes still use it: leave it out of the state in one release, drop it in the next"
BUILT = "writers wait until it is built: build it concurrently on PostgreSQL"


def test_the_former_version_can_live_with_later_migrations() -> None:
    loader = MigrationLoader(None)
    released = {node for leaf in RELEASED.items() for node in loader.graph.forwards_plan(leaf)}
    later = [
        node
        for app in RELEASED
        for leaf in loader.graph.leaf_nodes(app)
        for node in loader.graph.forwards_plan(leaf)
        if node not in released and node[0] in RELEASED
    ]
    assert set(REVIEWED) <= set(later)
    new: set[tuple[str, str]] = set()
    for app, name in dict.fromkeys(later):
        state = loader.project_state((app, name), at_end=False)
        operations = loader.graph.nodes[app, name].operations
        found = list(problems(app, operations, state, new))
        assert not found or (app, name) in REVIEWED, (app, name, found)


def problems(
    app: str, operations: Sequence[Operation], state: ProjectState, new: set[tuple[str, str]]
) -> Iterator[str]:
    """Yield what is wrong with the operations; `new` gets the tables that they create."""
    for each in operations:
        model = str(getattr(each, "model_name_lower", "") or getattr(each, "name_lower", ""))
        if isinstance(each, migrations.CreateModel):
            new.add((app, model))
        if (app, model) not in new and (problem := _problem(app, each, state)):
            yield f"{each.describe()}: {problem}"
        each.state_forwards(app, state)


def _problem(app: str, each: Any, state: ProjectState) -> str:
    match each:
        case migrations.AddField(field=field):
            return _of_new_field(field)
        case migrations.AlterField(model_name_lower=model, name=name, field=field):
            return _of_changed_field(state.models[app, model].fields[name], field)
        case migrations.SeparateDatabaseAndState(database_operations=[]):
            removed = (
                state.models[app, one.model_name_lower].fields[one.name]
                for one in each.state_operations
                if isinstance(one, migrations.RemoveField)
            )
            return next(filter(None, map(_of_new_field, removed)), "")
        case migrations.AddIndex() | migrations.RemoveIndex():
            return BUILT
        case migrations.AddConstraint():
            return "old processes may violate it, and others wait while all rows are checked"
    return "" if isinstance(each, HARMLESS) else GONE if _removes(each) else "it has to be reviewed"


def _removes(each: Operation) -> bool:
    return isinstance(
        each,
        migrations.RemoveField
        | migrations.DeleteModel
        | migrations.RenameField
        | migrations.RenameModel
        | migrations.AlterModelTable,
    )


def _of_new_field(field: Any) -> str:
    """Return what is wrong with a column that only one of two versions knows."""
    if field.many_to_many:
        return ""
    if not field.null and not field.has_db_default():
        return "one version stores rows without it: allow null, or give it a db_default"
    return BUILT if field.unique or field.db_index else ""


def _of_changed_field(old: Any, new: Any) -> str:
    if type(old) is not type(new) or old.db_column != new.db_column:
        return GONE
    if old.null and not new.null:
        return "old processes store null"
    if (old.max_length or 0) > (new.max_length or 0):
        return "old processes store longer values"
    return BUILT if (old.unique, old.db_index) != (new.unique, new.db_index) else ""


TEXT: Any = models.CharField(max_length=10)


@pytest.mark.parametrize(
    "refused",
    [
        migrations.AddField("row", "more", TEXT),
        migrations.AddField("row", "more", models.CharField(max_length=10, default="")),
        migrations.AddField("row", "more", models.IntegerField(null=True, unique=True)),
        migrations.AlterField("row", "text", models.CharField(max_length=5)),
        migrations.AlterField("row", "text", models.TextField()),
        migrations.AlterField("row", "number", models.IntegerField()),
        migrations.RemoveField("row", "text"),
        migrations.RenameField("row", "text", "words"),
        migrations.RenameModel("row", "line"),
        migrations.DeleteModel("row"),
        migrations.AddIndex("row", models.Index(fields=["text"], name="by_text")),
        migrations.AddConstraint(
            "row", models.CheckConstraint(condition=models.Q(number=1), name="one")
        ),
        migrations.RunSQL("UPDATE app_row SET number = 1"),
        # New processes would store rows without the text.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("row", "text")]
        ),
    ],
    ids=lambda operation: operation.describe(),
)
def test_it_is_refused(refused: Operation) -> None:
    assert list(problems("app", [refused], _before(), set()))


@pytest.mark.parametrize(
    "allowed",
    [
        migrations.AddField("row", "more", models.CharField(max_length=10, db_default="")),
        migrations.AddField("row", "more", models.IntegerField(null=True)),
        migrations.AlterField("row", "text", models.CharField(max_length=20)),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("row", "number")]
        ),
    ],
    ids=lambda operation: operation.describe(),
)
def test_it_is_allowed(allowed: Operation) -> None:
    assert not list(problems("app", [allowed], _before(), set()))


def test_new_tables_are_free() -> None:
    create = migrations.CreateModel("new", [("id", models.BigAutoField(primary_key=True))])
    assert not list(
        problems("app", [create, migrations.AddField("new", "text", TEXT)], _before(), set())
    )


def _before() -> ProjectState:
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        ("text", TEXT),
        ("number", models.IntegerField(null=True)),
    ]
    return ProjectState({("app", "row"): ModelState("app", "Row", fields)})
