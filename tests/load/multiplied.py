"""A project of millions of placements, made inside PostgreSQL from a template of 1000 sentences.

`write_template` needs an empty PostgreSQL database. The template has the shape of the thesis: 2.8
segments and 16 candidates a sentence, ten systems, three of ten annotators a sentence, and 5 % of
repeats by the same annotator and by another one. `multiply` copies its rows, table by table, by
`INSERT … SELECT` with ids and foreign keys that are shifted by the number of the copy; each copy
has annotators and documents of its own. All rows are of one project, which is the hard case.

Rows that are added to the project by other means have ids from OWN_IDS on, and are not copied.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.apps import apps
from django.db import connection, models

from annotation.formats.tokens import split_at_spaces
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    ShownCandidate,
    Submission,
    System,
    Translation,
    User,
)
from tests.load.rows import write

SENTENCES: Final = 1000
PEOPLE: Final = 10
SYSTEMS: Final = 10
JUDGES: Final = 3
REPEATS: Final = 0.05
# Sentences of a document.
DOCUMENT: Final = 20
TOKENS: Final = 22
# How many segments sentences have, and candidates segments, each as often as it is here.
SEGMENTS: Final = (1, 2, 2, 3, 3, 3, 3, 3, 4, 4)
CANDIDATES: Final = (3, 4, 5, 5, 6, 6, 6, 7, 7, 8)
OWN_IDS: Final = 10**9
BEGAN: Final = datetime(2024, 1, 1, tzinfo=UTC)
WORDS: Final = ("starý", "dům", "stojí", "u", "řeky", "a", "nová", "budova", "za", "mostem", "kde")

Model = type[models.Model]
# What copies have in place of the template's values; `copy` is the number of the copy, from 1.
CHANGED: Final[Mapping[tuple[Model, str], str]] = {
    (Sentence, "number"): f"number + copy * {SENTENCES}",
    (Sentence, "document"): "document || '-' || copy",
    (User, "username"): "username || '-' || copy",
}
# Each after those that its foreign keys refer to. Of the first two there are no copies.
TABLES: Final[tuple[Model, ...]] = (
    Project,
    System,
    User,
    Membership,
    Sentence,
    Translation,
    Segment,
    Candidate,
    Projection,
    Assignment,
    Submission,
    Judgement,
    Placement,
    ShownCandidate,
)
COPIED: Final = TABLES[2:]


def write_template() -> None:
    """Write the project with the sentences of the template, all judged."""
    rows = Template().rows
    for model in TABLES:
        write(model, rows[model])
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            key = model._meta.pk
            if isinstance(key, models.AutoField | models.BigAutoField):
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [model._meta.db_table, key.column, OWN_IDS],
                )


def multiply(first: int, last: int) -> None:
    """Add these copies of the template, and update the statistics of the database."""
    sizes = {model: len(rows) for model, rows in Template().rows.items()}
    statements = [(_insertion(model, sizes), sizes[model]) for model in COPIED]
    with connection.cursor() as cursor:
        # No foreign key is checked: the template has only valid ones.
        cursor.execute("SET session_replication_role = replica")
        with _without_indexes(cursor):
            for copy in range(first, last + 1):
                for statement, size in statements:
                    cursor.execute(statement, {"copy": copy, "size": size})
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


def _insertion(model: Model, sizes: Mapping[Model, int]) -> str:
    fields = model._meta.concrete_fields
    values = ", ".join(_of_copy(model, field, sizes) for field in fields)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    key, table = f'"{fields[0].column}"', model._meta.db_table
    return (
        f"INSERT INTO {table} ({columns}) SELECT {values} "
        f"FROM {table}, (SELECT %(copy)s::bigint AS copy) AS numbered "
        f"WHERE {key} <= %(size)s ORDER BY {key}"
    )


@contextmanager
def _without_indexes(cursor: Any) -> Iterator[None]:
    """Drop the indexes of the copied tables but those of keys, and create them again in the end.

    It takes less time than to insert into them.
    """
    cursor.execute(
        """
        SELECT index.indrelid::regclass, index.indexrelid::regclass,
            pg_get_indexdef(index.indexrelid), quote_ident(conname), pg_get_constraintdef(made.oid)
        FROM pg_index AS index
        LEFT JOIN pg_constraint AS made ON made.conindid = index.indexrelid AND contype = 'u'
        WHERE NOT index.indisprimary AND index.indrelid::regclass::text = ANY(%s)
        """,
        [[model._meta.db_table for model in COPIED]],
    )
    indexes = cursor.fetchall()
    for table, index, _definition, constraint, _made in indexes:
        cursor.execute(
            f"ALTER TABLE {table} DROP CONSTRAINT {constraint}"
            if constraint
            else f"DROP INDEX {index}"
        )
    yield
    for table, _index, definition, constraint, made in indexes:
        cursor.execute(
            f"ALTER TABLE {table} ADD CONSTRAINT {constraint} {made}" if constraint else definition
        )


def _of_copy(model: Model, field: Any, sizes: Mapping[Model, int]) -> str:
    """Return the value of a column in a copy: a key is shifted by the size of its table."""
    column = f'"{field.column}"'
    table: Any = model if field.primary_key else field.related_model
    if changed := CHANGED.get((model, field.name)):
        return changed
    if table in COPIED:
        return f"{column} + copy * {sizes[table]}"
    if isinstance(field, models.DateTimeField):
        return f"{column} + copy * interval '1 day'"
    return column


class Template:
    """The rows of the template by model, with ids from 1; the same every time."""

    def __init__(self) -> None:
        self.rows: dict[Model, list[dict[str, Any]]] = defaultdict(list)
        self._chance = random.Random(44)
        project: dict[str, Any] = {
            "name": "growth",
            "source_language": "en",
            "target_language": "cs",
            "judges_per_sentence": JUDGES,
            "state": "open",
            "created": BEGAN,
        }
        self._add(Project, **project)
        for number in range(SYSTEMS):
            self._add(System, project_id=1, name=f"system{number}")
        for number in range(PEOPLE):
            user = self._add(User, username=f"annotator{number}", date_joined=BEGAN)
            self._add(Membership, user_id=user, project_id=1, role="annotator")
        # By segment of each sentence, its candidates.
        self._shown: dict[int, dict[int, list[int]]] = {}
        for number in range(1, SENTENCES + 1):
            self._add_sentence(number)
        self._judge_all()

    def _add(self, model: Model, **values: Any) -> int:
        rows = self.rows[model]
        rows.append({"id": len(rows) + 1, **values})
        return len(rows)

    def _text(self, words: int) -> str:
        return " ".join(self._chance.choices(WORDS, k=words))

    def _add_sentence(self, number: int) -> None:
        source = split_at_spaces(self._text(TOKENS))
        sentence = self._add(
            Sentence,
            project_id=1,
            number=number,
            document=f"document {(number - 1) // DOCUMENT + 1}",
            text=source.text,
            tokens=source.places,
        )
        alignment = " ".join(f"{place}-{place}" for place in range(TOKENS))
        for system in [*range(1, SYSTEMS + 1), None]:
            text = split_at_spaces(self._text(TOKENS))
            self._add(
                Translation,
                sentence_id=sentence,
                system_id=system,
                reference=None if system else 1,
                text=text.text,
                tokens=text.places,
                alignment=alignment,
            )
        self._shown[sentence] = {}
        for place in range(self._chance.choice(SEGMENTS)):
            indices = range(5 * place, 5 * place + self._chance.randint(3, 5))
            segment = self._add(
                Segment, sentence_id=sentence, token_indices=" ".join(map(str, indices))
            )
            candidates = [
                self._add(Candidate, segment_id=segment, text=f"{self._text(4)} {text}")
                for text in range(self._chance.choice(CANDIDATES))
            ]
            for system in range(1, SYSTEMS + 1):
                self._add(
                    Projection,
                    segment_id=segment,
                    system_id=system,
                    candidate_id=candidates[(system - 1) % len(candidates)],
                )
            self._shown[sentence][segment] = candidates

    def _judge_all(self) -> None:
        """Add assignments in random order, as a random queue does."""
        assigned: list[tuple[int, int, str, int | None]] = []
        for sentence in self._shown:
            people = self._chance.sample(range(1, PEOPLE + 1), JUDGES + 1)
            assigned += [(sentence, people[slot], "first", slot + 1) for slot in range(JUDGES)]
            if self._chance.random() < REPEATS * JUDGES:
                assigned.append((sentence, people[0], "intra", None))
            if self._chance.random() < REPEATS * JUDGES:
                assigned.append((sentence, people[JUDGES], "inter", None))
        self._chance.shuffle(assigned)
        for place, (sentence, annotator, kind, slot) in enumerate(assigned):
            began = BEGAN + timedelta(seconds=20 * place)
            self._judge(sentence, annotator, kind, slot, began)

    def _judge(
        self, sentence: int, annotator: int, kind: str, slot: int | None, began: datetime
    ) -> None:
        ended = began + timedelta(seconds=self._chance.randint(20, 120))
        assignment = self._add(
            Assignment,
            project_id=1,
            sentence_id=sentence,
            annotator_id=annotator,
            kind=kind,
            state="submitted",
            slot=slot,
            created=began,
            shown=began,
            submitted=ended,
        )
        seconds = (ended - began).total_seconds()
        submission = self._add(
            Submission, assignment_id=assignment, created=ended, active_seconds=seconds
        )
        for segment, candidates in self._shown[sentence].items():
            judgement = self._add(
                Judgement,
                submission_id=submission,
                segment_id=segment,
                created=ended,
                seconds=seconds / len(self._shown[sentence]),
            )
            for position, candidate in enumerate(candidates, start=1):
                self._add(
                    Placement,
                    judgement_id=judgement,
                    candidate_id=candidate,
                    rank=self._chance.choice((1, 1, 2, 2, 3, None)),
                    ranks_offered=len(candidates),
                )
                self._add(
                    ShownCandidate,
                    assignment_id=assignment,
                    candidate_id=candidate,
                    position=position,
                )
