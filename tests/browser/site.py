"""The SegRanks installation of all browser tests, and its projects."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.installation import Installation, Process

SOURCE = "the committee which had met for weeks behind closed doors agreed on the new rules"
CANDIDATES = (
    "za zavřenými dveřmi",
    "za uzavřenými dveřmi",
    "zavřenými dveřmi za",
    "za zavřené dveře na týdny",
    "zavřených dveří",
    "dveřmi",
    "za branou",
    "při zavřených dveřích",
    "s dveřmi zavřenými",
    "bez dveří",
)
NUMBERS = count(1)
ADD_PROJECT = """
from annotation.formats.tokens import split_at_spaces
from annotation.models import *
project = Project.objects.create(name={name!r}, source_language="en", target_language={target!r},
    state="open", intra_rate=0, inter_rate=0, judges_per_sentence={judges})
systems = System.objects.bulk_create(
    System(project=project, name=f"system {{i}}") for i in range(10))
sentences = Sentence.objects.bulk_create(
    Sentence(project=project, number=number, text={source!r},
        tokens=split_at_spaces({source!r}).places)
    for number in range(1, {sentences} + 1))
segments = Segment.objects.bulk_create(
    Segment(sentence=sentence, token_indices=f"{{3 * at}} {{3 * at + 1}} {{3 * at + 2}}")
    for sentence in sentences for at in range(len({sizes!r})))
pairs = [(segment, system, text) for at, segment in enumerate(segments)
    for system, text in zip(systems, {texts!r}[:{sizes!r}[at % len({sizes!r})]])]
candidates = Candidate.objects.bulk_create(
    Candidate(segment=segment, text=text) for segment, _system, text in pairs)
Projection.objects.bulk_create(Projection(segment=segment, system=system, candidate=candidate)
    for (segment, system, _text), candidate in zip(pairs, candidates))
print(project.pk)
"""
ADD_USER = """
from annotation.models import *
user = User.objects.create_user({name!r})
Membership.objects.create(user=user, project_id={project}, role={role!r})
"""
SIGN_IN = """
from django.test import Client
from annotation.models import *
client = Client()
client.force_login(User.objects.get(username={name!r}))
print(client.cookies["sessionid"].value)
"""


@dataclass
class Site:
    """The installation under test, with one project of two segments that many may judge."""

    installation: Installation
    process: Process
    project: int = 0

    @classmethod
    def start(cls, installation: Installation) -> "Site":
        # With an account there already, the server makes no demo project, which takes long.
        installation.query("User.objects.create_superuser('admin').pk")
        site = cls(installation, installation.up())
        site.project = site.add_project("Shared", [3, 2], sentences=10, judges=500)
        return site

    @property
    def address(self) -> str:
        return self.process.address

    def url(self, page: str, project: int = 0) -> str:
        """Return the address of a project's page, by default of the shared project."""
        return f"{self.address}/projects/{project or self.project}/{page}/"

    def add_project(
        self,
        name: str,
        sizes: Sequence[int],
        *,
        sentences: int = 3,
        target: str = "cs",
        texts: Sequence[str] = CANDIDATES,
        judges: int = 1,
    ) -> int:
        """Add a project whose sentences have segments with so many candidates; return its id."""
        code = ADD_PROJECT.format(
            name=f"{name} {next(NUMBERS)}",
            sizes=list(sizes),
            sentences=sentences,
            target=target,
            texts=list(texts),
            judges=judges,
            source=SOURCE,
        )
        return int(self.installation.execute(code))

    def add_user(self, role: str, project: int) -> tuple[str, str]:
        """Add a new user to the project; return their name and the cookie of their session."""
        name = f"person{next(NUMBERS)}"
        code = ADD_USER.format(name=name, project=project, role=role)
        self.installation.execute(code)
        return name, self.session_of(name)

    def session_of(self, name: str) -> str:
        return self.installation.execute(SIGN_IN.format(name=name)).strip()

    def query(self, expression: str) -> Any:
        return self.installation.query(expression)

    def placements(self, name: str) -> dict[str, str]:
        """Return what is stored of the one sentence that this person has submitted.

        As the page shows it: "<segment>-<position>" → rank or "garbage".
        """
        shown, placed = self.query(
            "[list(rows) for rows in ("
            "ShownCandidate.objects.filter(assignment__state='submitted',"
            f" assignment__annotator__username={name!r}).order_by('candidate__segment')"
            ".values_list('candidate__segment', 'position', 'candidate'),"
            "Placement.objects.filter(judgement__submission__current=True,"
            f" judgement__submission__assignment__annotator__username={name!r})"
            ".values_list('candidate', 'rank'))]"
        )
        ranks = dict(placed)
        segments = list(dict.fromkeys(segment for segment, _position, _candidate in shown))
        return {
            f"{segments.index(segment) + 1}-{position}": str(ranks[candidate] or "garbage")
            for segment, position, candidate in shown
        }
