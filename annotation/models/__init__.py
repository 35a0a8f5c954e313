"""The tables of SegRanks.

Foreign keys to texts and judgements have DO_NOTHING: the database itself refuses to delete a row
that others refer to. With PROTECT, Django would read every row before it deletes it, and the
deletion of a project would take four times as long.
"""

from annotation.models.accounts import Membership, SignInLink, User
from annotation.models.alignment import AlignmentPriors, ParallelPage
from annotation.models.assessment_batches import AssessmentBatch, BatchItem, BatchTurn
from annotation.models.given_errors import GivenErrors, GivenOrigin
from annotation.models.jobs import Chunk, Job
from annotation.models.judgements import (
    Assignment,
    Edit,
    ErrorSpan,
    FurtherScore,
    Judgement,
    Placement,
    Reservation,
    SettledPlacement,
    Settlement,
    ShownCandidate,
    ShownSystem,
    Skip,
    Submission,
)
from annotation.models.media import Media, MediaPlay
from annotation.models.practice_and_control import Answer, Control, ExpectedPlacement
from annotation.models.project_counts import ProjectCounts
from annotation.models.projects import Instructions, Project, System
from annotation.models.sentence_summaries import SentenceSummary, SummarisedProject
from annotation.models.stored_files import FilePiece, StoredFile
from annotation.models.texts import (
    Candidate,
    ChosenSystem,
    Projection,
    Segment,
    Sentence,
    Translation,
)
from annotation.models.uploads import StoredPreview, Upload, UploadedFile

__all__ = [
    "AlignmentPriors",
    "Answer",
    "AssessmentBatch",
    "Assignment",
    "BatchItem",
    "BatchTurn",
    "Candidate",
    "ChosenSystem",
    "Chunk",
    "Control",
    "Edit",
    "ErrorSpan",
    "ExpectedPlacement",
    "FilePiece",
    "FurtherScore",
    "GivenErrors",
    "GivenOrigin",
    "Instructions",
    "Job",
    "Judgement",
    "Media",
    "MediaPlay",
    "Membership",
    "ParallelPage",
    "Placement",
    "Project",
    "ProjectCounts",
    "Projection",
    "Reservation",
    "Segment",
    "Sentence",
    "SentenceSummary",
    "SettledPlacement",
    "Settlement",
    "ShownCandidate",
    "ShownSystem",
    "SignInLink",
    "Skip",
    "StoredFile",
    "StoredPreview",
    "Submission",
    "SummarisedProject",
    "System",
    "Translation",
    "Upload",
    "UploadedFile",
    "User",
]
