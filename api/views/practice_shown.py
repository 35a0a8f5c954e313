"""What practice sentences look like, and what is sent of them."""

from typing import Any

from rest_framework import serializers

from annotation.judging.practice import LONGEST_EXPLANATION
from annotation.models import Sentence
from api.project_serializers import PIECES, PieceShown
from api.serializers import Fields, Shown
from api.views.checks import LARGEST_NUMBER

# As many segments as any sentence has, and more.
MOST_SEGMENTS = 1000


class PracticeShown(serializers.ModelSerializer[Sentence]):
    """A sentence for practice, whose answers an administrator gave."""

    sentence = serializers.IntegerField(
        source="source_number", read_only=True, help_text="The line in the source."
    )
    practised = serializers.IntegerField(read_only=True, help_text="By how many.")

    class Meta:
        model = Sentence
        fields = ("number", "sentence", "text", "practised", "retired")
        read_only_fields = fields


class OfferedShown(serializers.ModelSerializer[Sentence]):
    """A sentence that can be made one for practice."""

    sentence = serializers.IntegerField(
        source="number", read_only=True, help_text="The line in the source."
    )

    class Meta:
        model = Sentence
        fields = ("sentence", "text")
        read_only_fields = fields


class CardShown(Shown):
    """A candidate, or several that read the same."""

    key = serializers.CharField(help_text="By which it is placed.")
    text = serializers.CharField()


class AnsweredCardShown(CardShown):
    rank = serializers.IntegerField(allow_null=True, help_text="Null is the bin for garbage.")


class SegmentShown(Shown):
    pieces = PieceShown(many=True, help_text="Of the source; joined they are all of it.")
    candidates = CardShown(many=True)


class AnsweredSegmentShown(SegmentShown):
    candidates = AnsweredCardShown(many=True)
    explanation = serializers.CharField(help_text="Why the candidates belong there.")


class SheetShown(Shown):
    """What has to be judged in a sentence; nothing tells which system made what."""

    sentence = serializers.IntegerField(help_text="The line in the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    reference = serializers.CharField(help_text="Empty where annotators are shown none.")
    segments = SegmentShown(many=True)


class AnswersShown(SheetShown):
    """A practice sentence with the answers that feedback goes by."""

    number = serializers.IntegerField(help_text="Of the practice sentence.")
    retired = serializers.BooleanField(help_text="Nobody is given it any more.")
    segments = AnsweredSegmentShown(many=True)


class AnnotatorPracticeShown(Shown):
    annotator = serializers.CharField()
    done = serializers.IntegerField(help_text="Sentences practised.")
    agreed = serializers.IntegerField(help_text="Pairs of candidates in the right order.")
    pairs = serializers.IntegerField(help_text="All pairs.")


class PracticeResultsShown(Shown):
    sentences = serializers.IntegerField(help_text="How many there are, retired ones apart.")
    annotators = AnnotatorPracticeShown(many=True)


class Rank(serializers.IntegerField):
    """A whole number, which no text is taken for."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Answers(Fields):
    placements = serializers.DictField(
        child=Rank(min_value=1, max_value=LARGEST_NUMBER, allow_null=True),
        help_text="Of every candidate by its key: its rank from 1, equal ranks tie; null is the "
        "bin for garbage.",
    )
    explanations = serializers.ListField(
        child=serializers.CharField(
            allow_blank=True, trim_whitespace=False, max_length=LONGEST_EXPLANATION
        ),
        max_length=MOST_SEGMENTS,
        default=list,
        help_text="Of the segments, in their order; those that are left out have none.",
    )


class NewPractice(Answers):
    sentence = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text="The line in the source."
    )


SHEET: dict[str, Any] = {
    "sentence": 4,
    "source": "The old house stands near the river.",
    "reference": "Starý dům stojí u řeky.",
    "segments": [
        {
            "pieces": PIECES,
            "candidates": [
                {"key": "1-1", "text": "starý dům"},
                {"key": "1-2", "text": "dům"},
            ],
        }
    ],
}
ANSWERS: dict[str, Any] = SHEET | {
    "number": 1,
    "retired": False,
    "segments": [
        SHEET["segments"][0]
        | {
            "candidates": [
                {"key": "1-1", "text": "starý dům", "rank": 1},
                {"key": "1-2", "text": "dům", "rank": None},
            ],
            "explanation": "The house is old.",
        }
    ],
}
SENT: dict[str, Any] = {
    "placements": {"1-1": 1, "1-2": None},
    "explanations": ["The house is old."],
}
