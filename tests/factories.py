"""Small projects for tests."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from annotation.formats.tokens import split_at_spaces
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import NotAMember
from annotation.judging.assignment import assign_next as assign_to_member
from annotation.kinds import DEFAULT, KINDS
from annotation.kinds.answers import OwnSteps
from annotation.models import (
    Assignment,
    Candidate,
    Membership,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
    User,
)

SOURCE = "the old house stands near the river"
SEGMENTS: Mapping[str, Sequence[str]] = {
    "0 1 2": ("starý dům", "stará dům", "dům"),
    "4 5 6": ("u řeky", "blízko řeky"),
}


def make_project(
    name: str = "houses",
    *,
    sentences: int = 3,
    segments: Mapping[str, Sequence[str]] = SEGMENTS,
    numbered: bool = False,
    **fields: object,
) -> Project:
    """Return an open project of equal sentences; system A produced the first candidates.

    A scale of its own has three steps.

    There are no repeats, which are random, unless a test sets their rates. `numbered` candidates
    have the number of their sentence after each word, so that no two sentences share candidates.
    """
    fields = {"intra_rate": 0, "inter_rate": 0} | fields
    answer = KINDS[str(fields.get("kind", DEFAULT.name))].answer
    if asked := answer.options_asked:
        own = ("good", "fair", "bad") if isinstance(answer, OwnSteps) else asked.suggested
        fields = {"answer_options": answer.joined_options(own)} | fields
    project = Project.objects.create(
        name=name,
        source_language="en",
        target_language="cs",
        state=Project.State.OPEN,
        **fields,
    )
    systems = System.objects.bulk_create(System(project=project, name=name) for name in "ABC")
    made = Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text=SOURCE, tokens=places(SOURCE))
        for number in range(1, sentences + 1)
    )
    Translation.objects.bulk_create(
        Translation(sentence=sentence, reference=1, text="reference", tokens=places("reference"))
        for sentence in made
    )
    made_segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=token_indices)
        for sentence in made
        for token_indices in segments
    )
    candidates = Candidate.objects.bulk_create(
        Candidate(segment=segment, text=_numbered(text, segment.sentence.number if numbered else 0))
        for segment in made_segments
        for text in segments[segment.token_indices]
    )
    of_segment = defaultdict(list)
    for candidate in candidates:
        of_segment[candidate.segment].append(candidate)
    Projection.objects.bulk_create(
        Projection(segment=segment, system=system, candidate=candidate)
        for segment in made_segments
        for system, candidate in zip(systems, of_segment[segment], strict=False)
    )
    return project


def places(text: str) -> str:
    """Return the places of the tokens of a text whose tokens are between single spaces."""
    return split_at_spaces(text).places


def _numbered(text: str, number: int) -> str:
    return " ".join(f"{word}{number or ''}" for word in text.split())


def make_annotator(project: Project, name: str = "jana", role: str = "annotator") -> User:
    """Return a member; a new account is created for the project, and has no password."""
    user, _created = User.objects.get_or_create(username=name, defaults={"created_for": project})
    Membership.objects.create(user=user, project=project, role=role)
    return user


def next_assignment(
    *, annotator: User, project: Project, practise: bool = False
) -> Assignment | None:
    """Open the next sentence as the page does. Raises NotAMember and ProjectNotOpen."""
    member = load_annotator(annotator, project.pk)
    if member is None:
        raise NotAMember
    return assign_to_member(member, practise=practise)


def assign_next(annotator: User, project: Project, *, practise: bool = False) -> Assignment:
    """Assign the next sentence to the annotator, unless they have an open one; return it."""
    assignment = next_assignment(annotator=annotator, project=project, practise=practise)
    assert assignment
    return assignment
