"""What is sent to make a project."""

from rest_framework import serializers

from annotation.projects.limits import LONGEST_DESCRIPTION, LONGEST_LANGUAGE_CODE, LONGEST_NAME
from annotation.projects.options import CHOICES
from annotation.uploads.create_project import LENGTHS
from annotation.uploads.unpacking import MOST_ENTRIES
from api.serializers import Fields


def _file(help_text: str) -> serializers.FileField:
    return serializers.FileField(required=False, allow_empty_file=True, help_text=help_text)


def _files(help_text: str) -> serializers.ListField:
    one = serializers.FileField(allow_empty_file=True)
    return serializers.ListField(
        child=one, required=False, max_length=MOST_ENTRIES, help_text=help_text
    )


def _option(name: str) -> serializers.ChoiceField:
    label, rows = CHOICES[name]
    return serializers.ChoiceField(rows, required=False, label=label)


class NewProject(Fields):
    """A project in the making: plain texts in UTF-8 (gzipped or in a zip too), a sentence a line.

    The same line has to be the same sentence in all of them.
    """

    name = serializers.CharField(max_length=LONGEST_NAME or 0)
    source_language = serializers.CharField(
        max_length=LONGEST_LANGUAGE_CODE, help_text="As en or pt_BR."
    )
    target_language = serializers.CharField(max_length=LONGEST_LANGUAGE_CODE)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_DESCRIPTION
    )
    tokens = serializers.ChoiceField(
        ["raw", "all", "source"], default="raw", help_text="Which of the texts are tokenised."
    )
    parser = _option("parser")
    coverage = _option("coverage")
    aligner = _option("aligner")
    effort = _option("effort")
    min_length = serializers.IntegerField(
        default=LENGTHS[0], min_value=1, max_value=10, help_text="Words of the shortest segment."
    )
    max_length = serializers.IntegerField(
        default=LENGTHS[1], min_value=1, max_value=15, help_text="Words of the longest segment."
    )
    open_at_once = serializers.BooleanField(
        default=True, help_text="Whether judging begins by itself once all is prepared."
    )
    source = _file("The source text.")  # type: ignore[assignment]  # a name that Field has
    reference = _file("A human translation.")
    systems = _files("What each system made of it; a file is called as its system: alfa.txt.")
    links = _files("Links of words in Pharaoh format; a file is called as its system.")
    trees = _file("Trees of the source: bracketed ones a line each, or CoNLL-U.")
    segments = _file("Segments of the source, where they are not to be cut here: three columns.")
    ready_segments = _file("Segments with candidates, ready-made, in place of all texts.")
    ready_systems = _file("Which system made which candidate, beside ready_segments.")
    files = _files("Any of these, whose role is guessed from their names.")
