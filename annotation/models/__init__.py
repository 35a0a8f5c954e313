"""The tables of SegRanks."""

from annotation.models.accounts import Membership, SignInLink, User
from annotation.models.jobs import Job
from annotation.models.judgements import Assignment, Judgement, Placement, ShownCandidate
from annotation.models.projects import Project, System
from annotation.models.texts import Candidate, Projection, Segment, Sentence, Translation

__all__ = [
    "Assignment",
    "Candidate",
    "Job",
    "Judgement",
    "Membership",
    "Placement",
    "Project",
    "Projection",
    "Segment",
    "Sentence",
    "ShownCandidate",
    "SignInLink",
    "System",
    "Translation",
    "User",
]
