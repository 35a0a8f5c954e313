"""The kinds of judgement, each a unit, an answer and what is shown, in the order of the pages.

A name is stored with each project, so it never changes.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.shared_task_files import WmtForm
from annotation.kinds.answers import OwnSteps, Ranking, Score, Steps
from annotation.kinds.edited_text import EditedText
from annotation.kinds.experience import DA, ESA, MQM, SEGMENTS_WMT14, SQM
from annotation.kinds.kind import CORRECT, MARK, RANK, SCORE, Cost, Kind
from annotation.kinds.marked_errors import ErrorsAlone, MarkedErrors
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.shown import Shown
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
)

SEGMENTS: Final = SegmentsOfSentence()
# Callison-Burch et al. (2009): people cannot order many sentences at once.
UP_TO_FIVE: Final = SentenceWithTranslations(most_cards=5)
TRANSLATION: Final = OneTranslation()
DOCUMENT: Final = DocumentOfSystem()
SIDE_BY_SIDE: Final = DocumentOfSystems()

ALL: Final = Shown()
IN_CONTEXT: Final = Shown(context=True)
BY_REFERENCE: Final = Shown(source=False)
BY_SOURCE: Final = Shown(reference=False)
# So that the text alone is judged.
TEXT_ALONE: Final = Shown(source=False, reference=False)

YES_NOT_SURE_NO: Final = Steps((_("Yes"), _("Not sure"), _("No")), undecided=2)
# LDC (2005), WMT 2006 and 2007.
FIVE_OF_MEANING: Final = Steps(
    (
        _("All meaning"),
        _("Most meaning"),
        _("Much meaning"),
        _("Little meaning"),
        _("No meaning"),
    )
)
FIVE_OF_LANGUAGE: Final = Steps(
    (_("Flawless"), _("Good"), _("Non-native"), _("Disfluent"), _("Incomprehensible"))
)
AS_THE_REFERENCE: Final = _(
    "The translation adequately expresses the meaning of the reference in %(language)s."
)
AS_THE_SOURCE: Final = _(
    "The translation adequately expresses the meaning of the source in %(language)s."
)
# The seven labels of a scalar quality metric (WMT 2022 and 2023).
SEVEN_LABELS: Final = (
    _("0: No meaning preserved"),
    "1",
    _("2: Some meaning preserved"),
    "3",
    _("4: Most meaning preserved"),
    "5",
    _("6: Perfect"),
)

KINDS: Final = (
    # Bojar et al. (2015).
    Kind(
        name="segment_ranking",
        label=_("Ranking of segments"),
        question=_("Annotators rank all translations of a few short segments of each sentence."),
        group=RANK,
        answers=_(
            "Which system translates short phrases better? The most comparisons for the time, of "
            "systems that are close to each other."
        ),
        known_as="SegRanks",
        cost=Cost(68, _("SegRanks thesis")),
        unit=SEGMENTS,
        answer=Ranking(),
        shown=ALL,
        experience=SEGMENTS_WMT14,
        in_signatures=False,
    ),
    # Callison-Burch et al. (2007 and 2008).
    Kind(
        name="constituents_in_context",
        label=_("Ranking of segments in context"),
        question=_("Annotators rank the segments and see each one inside its whole translation."),
        group=RANK,
        answers=_(
            "Which system translates phrases better, where a phrase can only be judged in its "
            "sentence: agreement of words, word order, references to other words?"
        ),
        cost=Cost(47.1, "WMT08"),
        unit=SEGMENTS,
        answer=Ranking(),
        shown=IN_CONTEXT,
        exports=("wmt-forms",),
        wmt_form=WmtForm("CONSTITUENT"),
    ),
    # WMT 2009 to 2016; identical translations are shown once, as in WMT 2015 and 2016.
    Kind(
        name="sentence_ranking",
        label=_("Ranking of whole sentences"),
        question=_("Annotators rank up to five whole translations of each sentence."),
        group=RANK,
        answers=_("Which system’s sentences are better, with all that segments leave out?"),
        known_as="RR",
        cost=Cost(80.0, "WMT08"),
        unit=UP_TO_FIVE,
        answer=Ranking(),
        shown=ALL,
        exports=("wmt-forms", "wmt-five"),
        wmt_form=WmtForm("RANK"),
    ),
    # RYPT (Zaidan and Callison-Burch 2009); acceptance of constituents (WMT 2008).
    Kind(
        name="acceptability",
        label=_("Yes or no"),
        question=_("Annotators say of each translation of a segment whether it is acceptable."),
        group=SCORE,
        answers=_("How many of a system’s phrases are acceptable? For systems that are far apart."),
        known_as="RYPT",
        cost=Cost(40.7, "WMT08"),
        unit=SEGMENTS,
        answer=YES_NOT_SURE_NO,
        shown=ALL,
        exports=("wmt-forms",),
        wmt_form=WmtForm("CONSTITUENT_ACCEPT", ("1", "3", "2")),
    ),
    Kind(
        name="adequacy",
        label=_("Adequacy"),
        question=_(
            "Annotators say how much of the meaning each whole translation has, in five grades."
        ),
        group=SCORE,
        answers=_("How much of the meaning is in a system’s sentences?"),
        cost=Cost(108.3, _("WMT07, adequacy and fluency together")),
        unit=UP_TO_FIVE,
        answer=FIVE_OF_MEANING,
        shown=ALL,
        exports=("wmt-forms",),
        wmt_form=WmtForm("NIST", ("5", "4", "3", "2", "1")),
    ),
    # Asked apart from adequacy, because judges confuse the two (Callison-Burch et al. 2007).
    Kind(
        name="fluency",
        label=_("Fluency"),
        question=_(
            "Annotators say how good the language of each whole translation is, in five grades."
        ),
        group=SCORE,
        answers=_("How good is a system’s language?"),
        cost=Cost(108.3, _("WMT07, adequacy and fluency together")),
        unit=UP_TO_FIVE,
        answer=FIVE_OF_LANGUAGE,
        shown=TEXT_ALONE,
        exports=("wmt-forms",),
        wmt_form=WmtForm("NIST", ("5", "4", "3", "2", "1"), column="B"),
    ),
    # Nießen, Och, Leusch & Ney (2000), "An Evaluation Tool for Machine Translation".
    Kind(
        name="grades",
        label=_("Grades"),
        question=_("Annotators put each whole translation on one step of the project’s own scale."),
        group=SCORE,
        answers=_("What do you call good? You write the labels of 2 to 11 steps."),
        unit=UP_TO_FIVE,
        answer=OwnSteps(),
        shown=ALL,
    ),
    # Grades as above, of constituents as they were ranked in 2007 and 2008.
    Kind(
        name="grades_in_context",
        label=_("Grades of segments in context"),
        question=_(
            "Annotators put each segment on one step of the project’s own scale and see it inside "
            "its whole translation."
        ),
        group=SCORE,
        answers=_("How good are a system’s phrases in their sentences, on a scale of your own?"),
        unit=SEGMENTS,
        answer=OwnSteps(),
        shown=IN_CONTEXT,
        texts="grades",
    ),
    # Kocmi et al. (2024).
    Kind(
        name="error_spans",
        label=_("Error spans with a score"),
        question=_(
            "Annotators mark minor and major errors in each whole translation, then give it a "
            "score from 0 to 100."
        ),
        group=MARK,
        answers=_("How good is a system, and what is wrong with its sentences?"),
        known_as="ESA",
        unit=TRANSLATION,
        answer=MarkedErrors(),
        shown=ALL,
        experience=ESA,
        exports=("esa", "pearmut", "da"),
        pearmut_protocol="ESA",
    ),
    # Freitag et al. (2021).
    Kind(
        name="mqm",
        label=_("Categories of errors"),
        question=_(
            "Annotators mark each error of a whole translation and say what it is and how severe, "
            "without a score."
        ),
        group=MARK,
        answers=_(
            "What kinds of errors does a system make, and how bad are they? For experts: the most "
            "reliable, and the slowest."
        ),
        known_as="MQM",
        unit=TRANSLATION,
        answer=ErrorsAlone(),
        shown=ALL,
        experience=MQM,
        exports=("mqm", "pearmut"),
        pearmut_protocol="MQM",
    ),
    # Graham et al. (2013); by the reference, for annotators who need not read the source (WMT 2016
    # to 2021).
    Kind(
        name="direct_assessment",
        label=_("Direct assessment"),
        question=_(
            "Annotators compare one whole translation at a time with the reference and give it a "
            "score from 0 to 100."
        ),
        group=SCORE,
        answers=_(
            "Which system’s sentences are better, by how much? Annotators need the target language "
            "only."
        ),
        known_as="DA",
        cost=Cost(28.9, "WMT21"),
        unit=TRANSLATION,
        answer=Score(statement=AS_THE_REFERENCE),
        shown=BY_REFERENCE,
        experience=DA,
        exports=("da",),
        pearmut_protocol="DA",
    ),
    # For bilingual annotators (WMT 2018 to 2022).
    Kind(
        name="direct_assessment_source",
        label=_("Direct assessment by the source"),
        question=_(
            "Annotators compare one whole translation at a time with the source and give it a "
            "score from 0 to 100."
        ),
        group=SCORE,
        answers=_(
            "Which system’s sentences are better, by how much? Annotators need both languages and "
            "no reference."
        ),
        known_as="source-based DA",
        unit=TRANSLATION,
        answer=Score(statement=AS_THE_SOURCE),
        shown=BY_SOURCE,
        experience=DA,
        exports=("da",),
        pearmut_protocol="DA",
    ),
    Kind(
        name="direct_assessment_fluency",
        label=_("Direct assessment of fluency"),
        question=_(
            "Annotators read one whole translation at a time, without source and reference, and "
            "give its language a score from 0 to 100."
        ),
        group=SCORE,
        answers=_("How good is a system’s language, on a fine scale?"),
        known_as="DA",
        unit=TRANSLATION,
        answer=Score(statement=_("The text is fluent %(language)s.")),
        shown=TEXT_ALONE,
        exports=("da",),
    ),
    Kind(
        name="direct_assessment_sqm",
        label=_("Direct assessment with labels"),
        question=_(
            "Annotators compare one whole translation at a time with the source and give it a "
            "score from 0 to 100, along seven labels."
        ),
        group=SCORE,
        answers=_(
            "Which system’s sentences are better, by how much? Labels make annotators’ scales more "
            "alike."
        ),
        known_as="DA+SQM",
        unit=TRANSLATION,
        answer=Score(ticks=SEVEN_LABELS),
        shown=BY_SOURCE,
        experience=SQM,
        exports=("da",),
    ),
    # WMT 2022 and 2023: whole documents, by the source.
    Kind(
        name="document_sqm",
        label=_("Documents with scores"),
        question=_(
            "Annotators read a whole document as one system translated it, and give each paragraph "
            "a score from 0 to 100, along seven labels."
        ),
        group=SCORE,
        answers=_(
            "Which system’s texts are better, by how much, with all that goes beyond a sentence?"
        ),
        known_as="DA+SQM",
        unit=DOCUMENT,
        answer=Score(ticks=SEVEN_LABELS),
        shown=BY_SOURCE,
        experience=SQM,
        texts="direct_assessment_sqm",
        exports=("da",),
        pearmut_protocol="DA",
    ),
    # WMT 2024 and 2025.
    Kind(
        name="document_error_spans",
        label=_("Documents with error spans"),
        question=_(
            "Annotators read a whole document as one system translated it, mark minor and major "
            "errors in each paragraph, and give it a score from 0 to 100."
        ),
        group=MARK,
        answers=_(
            "How good are a system’s texts, and what is wrong with them, with all that goes beyond "
            "a sentence?"
        ),
        known_as="ESA",
        unit=DOCUMENT,
        answer=MarkedErrors(),
        shown=ALL,
        experience=ESA,
        texts="error_spans",
        exports=("esa", "pearmut", "da"),
        pearmut_protocol="ESA",
    ),
    # Freitag et al. (2021), and WMT 2020 to 2025.
    Kind(
        name="document_mqm",
        label=_("Documents with categories of errors"),
        question=_(
            "Annotators read a whole document as one system translated it, and say of each error "
            "in a paragraph what it is and how severe."
        ),
        group=MARK,
        answers=_(
            "What kinds of errors does a system make, also beyond a sentence, and how bad are they?"
        ),
        known_as="MQM",
        unit=DOCUMENT,
        answer=ErrorsAlone(),
        shown=ALL,
        experience=MQM,
        texts="mqm",
        exports=("mqm", "pearmut"),
        pearmut_protocol="MQM",
    ),
    # WMT 2026.
    Kind(
        name="contrastive_error_spans",
        label=_("Documents side by side, with error spans"),
        question=_(
            "Annotators see several systems’ translations of a document beside each other, mark "
            "minor and major errors in each paragraph, and give it a score from 0 to 100."
        ),
        group=MARK,
        answers=_(
            "How good are systems’ texts, and what is wrong with them? Annotators compare them "
            "directly, so that small differences show."
        ),
        known_as="cESA",
        unit=SIDE_BY_SIDE,
        answer=MarkedErrors(),
        shown=ALL,
        experience=ESA,
        texts="error_spans",
        exports=("esa", "pearmut", "da"),
        pearmut_protocol="cESA",
    ),
    # The same, with the question of Freitag et al. (2021).
    Kind(
        name="contrastive_mqm",
        label=_("Documents side by side, with categories of errors"),
        question=_(
            "Annotators see several systems’ translations of a document beside each other, and say "
            "of each error in a paragraph what it is and how severe."
        ),
        group=MARK,
        answers=_(
            "What kinds of errors do systems make, and how bad are they? Annotators compare them "
            "directly, so that small differences show."
        ),
        known_as="MQM",
        unit=SIDE_BY_SIDE,
        answer=ErrorsAlone(),
        shown=ALL,
        experience=MQM,
        texts="mqm",
        exports=("mqm", "pearmut"),
        pearmut_protocol="MQM",
    ),
    Kind(
        name="document_ranking",
        label=_("Documents side by side, ranked"),
        question=_(
            "Annotators see several systems’ translations of a document beside each other, and "
            "rank those of each paragraph."
        ),
        group=RANK,
        answers=_("Which system’s texts are better, for less work than with scores?"),
        unit=SIDE_BY_SIDE,
        answer=Ranking(),
        shown=ALL,
        texts="sentence_ranking",
    ),
    # Such as XSTS (Licht et al. 2022), or adequacy and fluency of a translation at once.
    Kind(
        name="scores",
        label=_("Several scores"),
        question=_(
            "Annotators give each whole translation a score on every one of the project’s own "
            "scales."
        ),
        group=SCORE,
        answers=_(
            "How good is a system in several respects? You write the names and ranges of 1 to 6 "
            "scales, such as fluency 0–5, adequacy 0–100 or XSTS 1–5."
        ),
        unit=TRANSLATION,
        answer=SeveralScores(),
        shown=ALL,
        exports=("pearmut",),
        pearmut_protocol="DA",
    ),
    Kind(
        name="document_scores",
        label=_("Documents with several scores"),
        question=_(
            "Annotators read a whole document as one system translated it, and give each paragraph "
            "a score on every one of the project’s own scales."
        ),
        group=SCORE,
        answers=_(
            "How good are a system’s texts in several respects, with all that goes beyond a "
            "sentence? On 1 to 6 scales of your own."
        ),
        unit=DOCUMENT,
        answer=SeveralScores(),
        shown=ALL,
        texts="scores",
        exports=("pearmut",),
        pearmut_protocol="DA",
    ),
    Kind(
        name="contrastive_scores",
        label=_("Documents side by side, with several scores"),
        question=_(
            "Annotators see several systems’ translations of a document beside each other, and "
            "give each paragraph a score on every one of the project’s own scales."
        ),
        group=SCORE,
        answers=_(
            "Which system’s texts are better in several respects? Annotators compare them "
            "directly, on 1 to 6 scales of your own."
        ),
        unit=SIDE_BY_SIDE,
        answer=SeveralScores(),
        shown=ALL,
        texts="scores",
        exports=("pearmut",),
        pearmut_protocol="DA",
    ),
    # Callison-Burch et al. (2009): without source and reference, so that an edit shows what the
    # output alone tells; whether its meaning is right is asked by the next kind.
    Kind(
        name="post_editing",
        label=_("Post-editing"),
        question=_(
            "Annotators correct each whole translation, without a reference, as far as they "
            "understand it."
        ),
        group=CORRECT,
        answers=_(
            "How much work is it to correct a system’s sentences, and how many cannot be corrected?"
        ),
        known_as="HTER",
        unit=UP_TO_FIVE,
        answer=EditedText(),
        shown=TEXT_ALONE,
        exports=("wmt-forms",),
    ),
    Kind(
        name="edit_acceptance",
        label=_("Acceptance of edits"),
        question=_(
            "Annotators say of each edited translation whether it is fully fluent and means the "
            "same."
        ),
        group=CORRECT,
        answers=_(
            "Do the corrected sentences mean what they should? How many of a system’s sentences "
            "can be repaired?"
        ),
        unit=UP_TO_FIVE,
        answer=Steps((_("Yes"), _("No"))),
        shown=ALL,
        exports=("wmt-forms",),
    ),
)
