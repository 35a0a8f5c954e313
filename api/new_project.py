"""What a program sends to create a project, or to preview it."""

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.formats.encodings import ENCODINGS, UTF_8
from annotation.formats.languages import LONGEST_LANGUAGE_CODE
from annotation.kinds import DEFAULT, KINDS
from annotation.kinds.answer_options import LONGEST_OPTION, MOST_OPTIONS
from annotation.projects.limits import LONGEST_DESCRIPTION, LONGEST_NAME
from annotation.projects.options import (
    CHOICES,
    MOST_FIRST,
    MOST_PARAGRAPHS,
    MOST_SHEETS,
    MOST_SYSTEMS,
    SHEET_CHOICES,
    PrepareOptions,
)
from annotation.uploads.settings import LONGEST, SHORTEST
from annotation.uploads.unpacking import MOST_ENTRIES
from api.serializers import NameField, StrictSerializer


def _file_field(help_text: str) -> serializers.FileField:
    return serializers.FileField(required=False, allow_empty_file=True, help_text=help_text)


def _files_field(help_text: str) -> serializers.ListField:
    file = serializers.FileField(allow_empty_file=True)
    return serializers.ListField(
        child=file, required=False, max_length=MOST_ENTRIES, help_text=help_text
    )


def _option(name: str) -> serializers.ChoiceField:
    label, choices = CHOICES[name]
    return serializers.ChoiceField(choices, required=False, label=label)


class NewProject(StrictSerializer):
    """Plain texts, one sentence a line, or tables (CSV, TSV, XLSX); gzip and zip are accepted.

    The same line must be the same sentence in all texts. A table of several texts goes into
    `files`; its first row names the source, the references and the systems.
    """

    name = NameField(max_length=LONGEST_NAME or 0)
    source_language = serializers.CharField(
        max_length=LONGEST_LANGUAGE_CODE, help_text="For example en or pt-BR."
    )
    target_language = serializers.CharField(max_length=LONGEST_LANGUAGE_CODE)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_DESCRIPTION
    )
    kind = serializers.ChoiceField(
        [(kind.name, kind.label) for kind in KINDS.values()],
        default=DEFAULT.name,
        help_text="What annotators judge. Whole sentences need no trees, segments and links.",
    )
    answer_options = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_OPTION),
        default=list,
        max_length=MOST_OPTIONS,
        help_text="The labels of the scale, the best first, for kinds such as `grades`; the "
        "severities and categories of errors for `mqm`.",
    )
    tokens = serializers.ChoiceField(
        ["raw", "all", "source"], default="raw", help_text="Which texts are already tokenised."
    )
    parser = _option("parser")
    coverage = _option("coverage")
    aligner = _option("aligner")
    effort = _option("effort")
    min_length = serializers.IntegerField(
        default=SHORTEST, min_value=1, max_value=10, help_text="Words of the shortest segment."
    )
    max_length = serializers.IntegerField(
        default=LONGEST, min_value=1, max_value=15, help_text="Words of the longest segment."
    )
    open_at_once = serializers.BooleanField(
        default=True, help_text="Whether judging starts as soon as the project is prepared."
    )
    batches = serializers.BooleanField(
        default=False,
        help_text="Direct assessment and error spans: divide the translations into batches of 100.",
    )
    sheet_paragraphs = serializers.IntegerField(
        default=PrepareOptions.sheet_paragraphs,
        min_value=1,
        max_value=MOST_PARAGRAPHS,
        help_text="Documents: how many paragraphs a sheet has at most.",
    )
    sheet_systems = serializers.IntegerField(
        default=PrepareOptions.sheet_systems,
        min_value=MOST_SYSTEMS[0],
        max_value=MOST_SYSTEMS[1],
        help_text="Documents side by side: how many systems a sheet has at most.",
    )
    sheet_choice = serializers.ChoiceField(
        [name for name, _label in SHEET_CHOICES],
        default=PrepareOptions.sheet_choice,
        help_text="Documents: which systems an annotator sees of a document. `complete`: every "
        "system is judged on every document; `balanced`: some on each, all equally often beside "
        "each other; `dynamic`: some on each, chosen when a sheet is assigned, the best so far "
        "more often.",
    )
    sheets_of_document = serializers.IntegerField(
        default=PrepareOptions.sheets_of_document,
        min_value=1,
        max_value=MOST_SHEETS,
        help_text="How many sheets a document has, unless every system is judged on it.",
    )
    first_documents = serializers.IntegerField(
        default=PrepareOptions.first_documents,
        min_value=0,
        max_value=MOST_FIRST,
        help_text="Of the dynamic choice: on how many documents each system comes first.",
    )
    rate_documents = serializers.BooleanField(
        default=False, help_text="Documents: whether each is judged as a whole, too."
    )
    seed = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The random seed of the alignment, the batches and the sheets of documents.",
    )
    highlights = serializers.BooleanField(
        default=False,
        help_text="Whether pointing at a word marks the words that are aligned with it; whole "
        "sentences are aligned for this.",
    )
    tutorial = serializers.BooleanField(
        default=False,
        help_text="Whether annotators begin with SegRanks' tutorial for these languages, in kinds "
        "in which errors are marked.",
    )
    encoding = serializers.ChoiceField(
        ENCODINGS, default=UTF_8, help_text="The encoding of texts that are not UTF-8."
    )
    source = _file_field("The source text.")  # type: ignore[assignment]  # a name that Field has
    references = _files_field("Human translations, in the order of their numbers.")
    systems = _files_field("The output of each system; name the file after the system: alfa.txt.")
    links = _files_field("Word alignment in Pharaoh format; name the file after the system.")
    documents = _file_field("The name of the document of each sentence, one a line.")
    trees = _file_field("Parse trees of the source: bracketed, one a line, or CoNLL-U.")
    segments = _file_field(
        "Segments of the source, in three columns, instead of segmenting it here."
    )
    ready_segments = _file_field("Segments with candidates, instead of any texts.")
    ready_systems = _file_field("Which system produced which candidate, for ready_segments.")
    media = _files_field(
        "Images, audio and video beside the source, or zips of them; a name begins with its line: "
        "12.mp4."
    )
    media_table = _file_field(
        "The lines of media whose names do not begin with them: on each line the number of a line "
        "of the source, a tab, and the name of a file."
    )
    files = _files_field("Any of these files; their roles are guessed from their names.")

    def validate_answer_options(self, labels: list[str]) -> list[str]:
        if not all(label.isprintable() for label in labels):
            raise serializers.ValidationError(_("A label has characters that cannot be printed."))
        return labels
