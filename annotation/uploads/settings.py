"""The settings of a new project that its owner has filled in so far."""

from typing import Any, Final

from msgspec import Struct, convert

from annotation.kinds import DEFAULT
from annotation.models import Upload
from annotation.projects.options import PrepareOptions

SHORTEST: Final = 3
LONGEST: Final = 6


class UploadSettings(Struct, frozen=True):
    """What is stored as JSON in `Upload.settings`; "" where it is not filled in."""

    name: str = ""
    description: str = ""
    kind: str = DEFAULT.name
    # The labels of the project's own scale, one a line.
    answer_options: str = ""
    source_language: str = ""
    target_language: str = ""
    # Which texts are tokenized already: "raw" for none, "source", "all".
    tokens: str = "raw"
    parser: str = PrepareOptions.parser
    coverage: str = PrepareOptions.coverage
    aligner: str = PrepareOptions.aligner
    effort: str = PrepareOptions.effort
    min_length: int = SHORTEST
    max_length: int = LONGEST
    # The settings of judging, by their names in Project.
    judging: dict[str, Any] = {}
    instructions: str = ""
    open_at_once: bool = False
    tutorial: bool = PrepareOptions.tutorial
    batches: bool = PrepareOptions.batches
    sheet_paragraphs: int = PrepareOptions.sheet_paragraphs
    sheet_systems: int = PrepareOptions.sheet_systems
    sheet_choice: str = PrepareOptions.sheet_choice
    sheets_of_document: int = PrepareOptions.sheets_of_document
    first_documents: int = PrepareOptions.first_documents
    rate_documents: bool = PrepareOptions.rate_documents
    seed: int = PrepareOptions.seed

    @property
    def is_complete(self) -> bool:
        """Whether all required settings are filled in."""
        return all((self.name, self.source_language, self.target_language))

    @property
    def lengths(self) -> tuple[int, int]:
        """The shortest and the longest length of segments."""
        return self.min_length, self.max_length


def settings_of(upload: Upload) -> UploadSettings:
    return convert(upload.settings, UploadSettings)
