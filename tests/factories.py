"""Small projects for tests, made by the tables themselves."""

from collections.abc import Mapping, Sequence

from annotation.models import (
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
    """Return an open project of equal sentences; system A made each segment's first candidate.

    Repeats come at random, so there are none unless a test asks for them. `numbered` candidates
    have the number of their sentence behind each word, so that sentences say different things.
    """
    fields = {"intra_rate": 0, "inter_rate": 0} | fields
    project = Project.objects.create(
        name=name,
        source_language="en",
        target_language="cs",
        state=Project.State.OPEN,
        **fields,
    )
    systems = [System.objects.create(project=project, name=system) for system in "ABC"]
    for number in range(1, sentences + 1):
        sentence = Sentence.objects.create(
            project=project, number=number, text=SOURCE, tokens=SOURCE
        )
        Translation.objects.create(sentence=sentence, text="reference", tokens="reference")
        for token_indices, texts in segments.items():
            segment = Segment.objects.create(sentence=sentence, token_indices=token_indices)
            for system, words in zip(systems, texts, strict=False):
                ending = str(number) if numbered else ""
                text = " ".join(word + ending for word in words.split())
                candidate = Candidate.objects.create(segment=segment, text=text)
                Projection.objects.create(segment=segment, system=system, candidate=candidate)
    return project


def make_annotator(project: Project, name: str = "jana", role: str = "annotator") -> User:
    user, _created = User.objects.get_or_create(username=name)
    Membership.objects.create(user=user, project=project, role=role)
    return user
