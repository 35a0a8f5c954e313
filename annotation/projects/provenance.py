"""What a project records of its files, of the programs that prepared it, and of later changes.

`Project.provenance` is JSON, which archives carry as it is. A restored archive may have anything in
it: what does not fit stays in the JSON, and is left out here.
"""

from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR
from inspect import isclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import fields, force_setattr

from annotation.formats.archive_records import Count, Time
from annotation.formats.fingerprints import Fingerprint
from annotation.formats.names import plain_name
from annotation.formats.strict_json import LARGEST
from annotation.models import Project
from annotation.preparation.projection import ProjectionRule
from annotation.preparation.statistics import Quality

# A segment: number of the sentence and positions of its tokens.
Sampled = tuple[Annotated[int, Meta(ge=1, le=LARGEST)], str]
# Seconds that annotators take for a segment and for each of its candidates, by a regression over
# the thesis' judgements.
SECONDS_OF_SEGMENT: Final = 40.2
SECONDS_OF_CANDIDATE: Final = 5.08
# Stands for the aligner where words were not aligned.
NO_ALIGNER: Final = "none"


class SourceFile(Struct, frozen=True, omit_defaults=True):
    """A file that was given; `rows` is known of ready-made segments."""

    name: str = ""
    sha256: str = ""
    rows: Count | None = None


class Program(Struct, frozen=True, omit_defaults=True):
    """A parser or an aligner; only an aligner has effort, seed, and a sample that it learned."""

    name: str
    version: str = ""
    effort: str = ""
    seed: str = ""
    sample: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


class Counts(Struct, frozen=True, omit_defaults=True):
    """What the project had when it was prepared; None where it is not known."""

    sentences: Count | None = None
    systems: Count | None = None
    segments: Count | None = None
    projected: Count | None = None
    candidates: Count | None = None
    missing: Count | None = None


class Sample(Struct, frozen=True):
    """`segments` to compare `of` so many are judged, after `taken` of the random order."""

    segments: Count
    of: Count
    taken: Count
    seed: Count


class MergeCounts(Struct, frozen=True):
    """Segments where the system's candidate was known, is new, or is missing.

    `reassigned` counts the segments that are assigned again.
    """

    known: Count = 0
    new: Count = 0
    missing: Count = 0
    reassigned: Count = 0

    def plus(self, other: "MergeCounts") -> "MergeCounts":
        return MergeCounts(
            self.known + other.known,
            self.new + other.new,
            self.missing + other.missing,
            self.reassigned + other.reassigned,
        )


class AddedSystem(Struct, frozen=True, omit_defaults=True):
    """A system that was added to a prepared project, from the file `name`.

    Without `counts` it is not completely added. `judge` is how many segments are sampled to judge
    it, None if all new candidates are judged again; `sampled` has them in the order of sampling.
    """

    system: str
    name: str = ""
    sha256: str = ""
    aligner: Program | None = None
    judge: Count | None = None
    seed: int | None = None
    sampled: tuple[Sampled, ...] = ()
    counts: MergeCounts | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "system", plain_name(self.system))

    @property
    def sampled_count(self) -> int | None:
        """How many segments are sampled to judge it; None if all new candidates are judged."""
        return None if self.judge is None else len(self.sampled)


class Shown(Struct, frozen=True):
    """Segments with candidates to compare, and their candidates, for all systems and narrowed."""

    segments: Count = 0
    candidates: Count = 0
    narrowed_segments: Count = 0
    narrowed_candidates: Count = 0

    @property
    def per_segment(self) -> float | None:
        return self.candidates / self.segments if self.segments else None

    @property
    def narrowed_per_segment(self) -> float | None:
        segments = self.narrowed_segments
        return self.narrowed_candidates / segments if segments else None

    @property
    def time_saved(self) -> float | None:
        """The share of judging time that narrowing saves, at the speed of the thesis."""
        before = self.segments * SECONDS_OF_SEGMENT + self.candidates * SECONDS_OF_CANDIDATE
        after = (
            self.narrowed_segments * SECONDS_OF_SEGMENT
            + self.narrowed_candidates * SECONDS_OF_CANDIDATE
        )
        return 1 - after / before if before else None

    @property
    def percent_saved(self) -> int:
        return round(100 * (self.time_saved or 0.0))


class Decision(Struct, frozen=True, omit_defaults=True):
    """That annotators see candidates of undecided systems only; of all if none is `decided`.

    The `number` is its place among the decisions of the project, from 1, and is not stored.
    """

    when: Time
    decided: tuple[str, ...]
    undecided: tuple[str, ...]
    by: str = ""
    shown: Shown = Shown()
    number: int = 0

    def __post_init__(self) -> None:
        # Near the ends of the calendar a date in another time zone does not exist.
        if not MINYEAR < self.when.year < MAXYEAR:
            raise ValueError("A time of another year was expected")
        for name in ("decided", "undecided"):
            force_setattr(self, name, tuple(map(plain_name, getattr(self, name))))


class SheetDesign(Struct, frozen=True):
    """How documents become sheets.

    A sheet has at most so many paragraphs, and so many systems beside each other where the kind
    shows several. With `documents`, the document as a whole is judged, too.

    By `choice`, every system is on a sheet of each document ("complete"), or each document has so
    many `sheets`, whose systems are chosen by a "balanced" design or, when a sheet is assigned, by
    the judgements so far ("dynamic"), after those on fewer than `first` sheets.
    """

    paragraphs: Count = 20
    systems: Count = 3
    documents: bool = False
    choice: Literal["complete", "balanced", "dynamic"] = "complete"
    sheets: Count = 2
    first: Count = 20

    @property
    def chooses(self) -> bool:
        """Whether systems are chosen for a sheet: then no annotator sees a document twice."""
        return self.choice != "complete"

    @property
    def is_dynamic(self) -> bool:
        return self.choice == "dynamic"


class Provenance(Struct, frozen=True):
    """What is read of the provenance of a project."""

    command: str = ""
    # By role: "source", "system NAME", "trees" …
    files: dict[str, SourceFile] = {}
    tokens: str = ""
    # "ready-made" where they were imported.
    segments: str = ""
    parser: Program | None = None
    coverage: str = ""
    # Sentences whose tree has no verb.
    verbless: Count | None = None
    aligner: Program | None = None
    projection: ProjectionRule = ProjectionRule()
    batches: Count | None = None
    # Of the batches, or of the sheets.
    seed: int | None = None
    # Of documents.
    sheets: SheetDesign = SheetDesign()
    counts: Counts = Counts()
    quality: Quality | None = None
    sample: Sample | None = None
    # None stands for an entry that does not fit, so that the others keep their places.
    added: tuple[AddedSystem | None, ...] = ()
    decisions: tuple[Decision | None, ...] = ()


def provenance_of(project: Project) -> Provenance:
    """Return what the project's provenance says, without what does not fit. No query."""
    return _fitting(Provenance, project.provenance) or Provenance()


def is_aligned(project: Project) -> bool:
    """Return whether the words of the translations are aligned with those of the source. No query.

    False while the project is being prepared.
    """
    aligner = provenance_of(project).aligner
    return aligner is not None and aligner.name != NO_ALIGNER


def record(project: Project, **parts: object) -> None:
    """Put these parts into the provenance, in place of what it says of them; the caller saves."""
    project.provenance = project.provenance | to_builtins(parts)


def record_files(project: Project, files: Mapping[str, SourceFile | Fingerprint]) -> None:
    """Put these files into the provenance, by role, besides its others; the caller saves."""
    stored = project.provenance.get("files")
    record(project, files=(stored if isinstance(stored, dict) else {}) | dict(files))


def append_entry(project: Project, part: str, entry: object) -> None:
    """Append the entry to a list of the provenance; the caller saves."""
    stored = project.provenance.get(part)
    record(project, **{part: [*(stored if isinstance(stored, list) else ()), entry]})


def record_added(project: Project, entry: AddedSystem) -> None:
    """Store the entry of a system in place of its former one; the caller saves."""
    rows = [
        entry if known and known.system == entry.system else row
        for known, row in zip(
            provenance_of(project).added, project.provenance["added"], strict=True
        )
    ]
    record(project, added=rows)


def _fitting(kind: Any, stored: Any) -> Any:
    """Return the JSON as this type, without the parts that do not fit; None if it does not."""
    try:
        return convert(stored, kind)
    except ValidationError:
        pass
    parts, origin = get_args(kind), get_origin(kind)
    if origin in (Union, UnionType):
        return _fitting(parts[0], stored)
    # Names that are together are one value.
    if origin is tuple and parts[-1] is ... and parts[0] is not str and isinstance(stored, list):
        entries = [_fitting(parts[0], entry) for entry in stored]
        # Where None may stand for an entry, the others keep their places.
        is_optional = NoneType in get_args(parts[0])
        return tuple(each for each in entries if is_optional or each is not None)
    if origin is dict and isinstance(stored, dict):
        found = {key: _fitting(parts[1], value) for key, value in stored.items()}
        return {key: value for key, value in found.items() if value is not None}
    if isclass(kind) and issubclass(kind, Struct) and isinstance(stored, dict):
        known = {
            field.name: _fitting(field.type, stored[field.name])
            for field in fields(kind)
            if field.name in stored
        }
        found = {name: value for name, value in known.items() if value is not None}
        try:
            return kind(**found) if found else None
        except (TypeError, ValueError):
            # A part that it needs is missing.
            return None
    return None
