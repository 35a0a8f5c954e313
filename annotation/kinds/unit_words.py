"""What pages, messages and files call what is judged: segments, sentences or translations."""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


class Number(int):
    """A number in a text, which chooses the plural form and is written as pages write it."""

    def __str__(self) -> str:
        return number_format(int(self), force_grouping=True)


@dataclass(frozen=True)
class Words:
    """What pages, messages and files call what is judged; all words are lazily translated.

    A text is filled in by `%` with a dict of the values that it names: in templates by the tag
    `say`, elsewhere with a `Number` where it has a plural form. Where a text is "", pages leave out
    what it says or heads.
    """

    # --- headings and their explanations ---
    # Of the number of judgements, and of the time of one.
    judgements: Any
    seconds: Any
    # What counts as a judgement.
    judged: Any
    # Of the number of segments; "" where a sheet has one.
    segments: Any
    candidates: Any

    # --- time ---
    # What a kind costs, by `seconds` of a `source`.
    cost: Any
    # The speed with which the hours of a project are computed, after a comma.
    pace: Any
    # The segments that the hours are for, after the number of sheets.
    with_segments: Any

    # --- the preview of a new project ---
    # What is done meanwhile.
    previewing: Any
    # The number of `segments` or `sentences`, and of `candidates`.
    previewed: Any
    preview_explained: Any
    # In place of the candidates of a sentence without a segment.
    nothing_cut: Any

    # --- a prepared project ---
    candidates_to_judge: Any
    # What candidates are.
    candidates_explained: Any
    # Of the files of segments and candidates.
    files_note: Any

    # --- a sample of the texts ---
    sample_heading: Any
    sample_explained: Any
    # `number` of `total`.
    sampled: Any
    # There is no sample.
    all_judged: Any
    sample_size: Any
    # What was added to the sample now.
    newly_sampled: Any

    # --- systems ---
    systems_heading: Any
    systems_explained: Any
    # Heads the number of segments for which a system has a candidate; `covered` writes it, as
    # `count` of `total`.
    with_candidate: Any
    covered: Any
    # The sample in which a system that was added later is judged.
    system_sample_help: Any
    system_sampled: Any
    # What was added to this sample now.
    judged_again: Any
    # Of the counts of a system that was added later.
    system_counts_explained: Any

    # --- practice and control ---
    # Heads a column of sheets, and says what a sheet is to a screen reader.
    sheet: Any
    controls: Any
    # Heads those that annotators skipped.
    skipped_sheets: Any

    # --- the annotator's own judgements ---
    counted_segments: Any

    # --- the sentences ---
    # Heads the list of them, and leads back to it.
    rows: Any
    all_rows: Any
    # Heads the candidates of a segment; "" where its source text does.
    candidates_heading: Any
    # A row of the list, by the `number` of its line, and so many rows.
    row: Any
    counted_rows: Any
    # Buttons of a segment, and of all that is assigned with it.
    exclude_segment: Any
    include_segment: Any
    exclude_sheet: Any
    include_sheet: Any

    # --- the report ---
    to_judge: Any
    # `judged` of `all`, after the number of judgements.
    on_segments: Any
    disputed: Any
    # Of systems that are judged in a sample.
    estimates_explained: Any
    estimate_sample: Any
    estimate_from: Any
    estimate_needs: Any
    # Answers about the same texts of other systems.
    reused: Any

    # --- lines of the source ---
    # Heads their number.
    lines: Any
    all_lines_judged: Any
    counted_lines: Any

    # --- sheets ---
    # Headings of their number, and of the number of those judged.
    sheets: Any
    sheets_judged: Any
    # What counts as one.
    judged_sheets: Any
    counted_sheets: Any
    # What the hours are for.
    sheets_of_work: Any
    unjudged_sheets: Any
    # Heads their texts in a list.
    sheet_texts: Any
    # Heads the choices of how sheets are made.
    sheet_design: Any
    skip: Any
    previous: Any
    next: Any
    # On a narrow screen, which shows one segment at a time: `number` is written by the script.
    pages: Any
    page: Any
    previous_page: Any
    next_page: Any

    # What the default instructions say besides those of the kind.
    instructions: Any = ""


OF_SEGMENTS: Final = Words(
    judgements=_("Judgements (segments)"),
    seconds=_("Mean seconds per segment"),
    judged=_(
        "Segments judged, with repeats; results are computed from these. If an annotator revised a "
        "sentence, the last version counts."
    ),
    segments=_("Segments"),
    candidates=_("Candidates"),
    cost=_("About %(seconds)s s per segment (%(source)s)"),
    pace=_("at %(seconds)s s per segment"),
    with_segments=ngettext_lazy("with %(number)s segment", "with %(number)s segments", "number"),
    previewing=_("Parsing ten sentences and aligning words on a sample…"),
    previewed=_(
        "<strong>%(segments)s</strong> segments with <strong>%(candidates)s</strong> candidates."
    ),
    preview_explained=_(
        "Up to ten sentences, as annotators will see them. Choose how many words a segment may "
        "have."
    ),
    nothing_cut=_("No segment of this length; the sentence would be skipped."),
    candidates_to_judge=_("Candidates"),
    candidates_explained=_(
        "A segment is a short phrase of the source. Its candidates are the different translations "
        "that the systems gave it; identical ones are merged."
    ),
    files_note="",
    sample_heading=_("Segments"),
    sample_explained=_(
        "Annotators judge every segment with two or more candidates. With little time, have them "
        "judge a random sample: a few segments of many sentences say more about the systems than "
        "all segments of a few sentences. You can add to the sample later."
    ),
    sampled=_("Sampled: %(number)s of %(total)s segments."),
    all_judged=_("Annotators judge all segments."),
    sample_size=_("How many segments"),
    newly_sampled=ngettext_lazy(
        "%(number)s segment was sampled.", "%(number)s segments were sampled.", "number"
    ),
    systems_heading=_("Systems and segments"),
    systems_explained=_(
        "You can add a system while people judge. Existing judgements are kept, and also count for "
        "the new system where it produced an existing candidate. Only segments with a new "
        "candidate are judged again, or a random sample of them."
    ),
    with_candidate=_("Segments with a candidate"),
    covered=_("%(count)s of %(total)s"),
    system_sample_help=_(
        "The number of segments that annotators judge again, before anything else. The report then "
        "estimates the score of the system, with an interval. Without a number, all segments with "
        "a new candidate are judged again."
    ),
    system_sampled=ngettext_lazy(
        "%(number)s segment sampled at random", "%(number)s segments sampled at random", "number"
    ),
    judged_again=ngettext_lazy(
        "%(number)s segment is judged again.", "%(number)s segments are judged again.", "number"
    ),
    system_counts_explained=_(
        "Known: segments with an existing candidate. New: segments with a new candidate. Missing: "
        "segments without a candidate. Judged again: new segments that had been assigned before."
    ),
    sheet=_("Sentence"),
    controls=_("Control sentences"),
    skipped_sheets=_("Skipped sentences"),
    counted_segments=ngettext_lazy("%(number)s segment", "%(number)s segments", "number"),
    rows=_("Sentences"),
    all_rows=_("All sentences"),
    candidates_heading="",
    row=_("Sentence %(number)s"),
    counted_rows=ngettext_lazy("%(number)s sentence", "%(number)s sentences", "number"),
    exclude_segment=_("Exclude segment"),
    include_segment=_("Include segment"),
    exclude_sheet=_("Exclude sentence"),
    include_sheet=_("Include sentence"),
    to_judge=ngettext_lazy(
        "%(number)s segment to judge.", "%(number)s segments to judge.", "number"
    ),
    on_segments=_("on %(judged)s of %(all)s segments"),
    disputed=_("Show the most disputed segments and the largest differences"),
    estimates_explained=_("Annotators judged these systems in a random sample of segments only."),
    estimate_sample=_("Sampled segments: %(sampled)s; judged: %(judged)s."),
    estimate_from=ngettext_lazy(
        "from %(number)s new judged segment", "from %(number)s new judged segments", "number"
    ),
    estimate_needs=ngettext_lazy(
        "%(number)s more segment for ± 0.01", "%(number)s more segments for ± 0.01", "number"
    ),
    reused=ngettext_lazy(
        "Of %(segments)s segment with answers, the system has a judged text in %(hits)s "
        "(%(rate)s), and nothing to compare in %(missing)s.",
        "Of %(segments)s segments with answers, the system has a judged text in %(hits)s "
        "(%(rate)s), and nothing to compare in %(missing)s.",
        "segments",
    ),
    sheets=_("Sentences"),
    sheets_judged=_("Sentences judged"),
    judged_sheets=_("Different sentences judged; one that was judged several times counts once."),
    lines=_("Sentences"),
    all_lines_judged=_("All sentences are judged."),
    counted_lines=ngettext_lazy("%(number)s sentence", "%(number)s sentences", "number"),
    counted_sheets=ngettext_lazy("%(number)s sentence", "%(number)s sentences", "number"),
    sheets_of_work=ngettext_lazy("for %(number)s sentence", "for %(number)s sentences", "number"),
    unjudged_sheets=ngettext_lazy(
        "%(number)s sentence is not judged yet.",
        "%(number)s sentences are not judged yet.",
        "number",
    ),
    sheet_texts=_("Source"),
    sheet_design=_("Batches"),
    skip=_("Skip this sentence"),
    previous=_("Previous sentence"),
    next=_("Next sentence"),
    pages=_("Segments"),
    page=_('Segment <span class="number">1</span> of %(count)s'),
    previous_page=_("Previous segment"),
    next_page=_("Next segment"),
)

# A sheet is a sentence too.
OF_SENTENCES: Final = replace(
    OF_SEGMENTS,
    judgements=_("Judgements (sentences)"),
    seconds=_("Mean seconds per sentence"),
    judged=_(
        "Sentences judged, with repeats; results are computed from these. If an annotator revised "
        "a sentence, the last version counts."
    ),
    segments="",
    candidates=_("Translations"),
    cost=_("About %(seconds)s s per sentence with up to five translations (%(source)s)"),
    pace=_("at %(seconds)s s per sentence"),
    with_segments="",
    previewing=_("Reading ten sentences…"),
    previewed=_(
        "<strong>%(sentences)s</strong> sentences with <strong>%(candidates)s</strong> "
        "translations."
    ),
    preview_explained=_(
        "Whole sentences are judged. Up to ten sentences, as annotators will see them."
    ),
    nothing_cut=_("This sentence has no segment and would be skipped."),
    candidates_to_judge=_("Translations to judge"),
    candidates_explained=_("Identical translations of a sentence are judged once."),
    files_note=_("In these files, each sentence is one segment."),
    sample_heading=_("Sample of sentences"),
    sample_explained=_(
        "Annotators judge every sentence. With little time, have them judge a random sample. You "
        "can add to the sample later."
    ),
    sampled=_("Sampled: %(number)s of %(total)s sentences."),
    all_judged=_("Annotators judge all sentences."),
    sample_size=_("How many sentences"),
    newly_sampled=ngettext_lazy(
        "%(number)s sentence was sampled.", "%(number)s sentences were sampled.", "number"
    ),
    systems_heading=_("Systems"),
    systems_explained=_(
        "You can add a system while people judge. Existing judgements are kept, and also count for "
        "the new system where it produced an existing translation. Only sentences with a new "
        "translation are judged again, or a random sample of them."
    ),
    with_candidate=_("Sentences with a translation"),
    system_sample_help=_(
        "The number of sentences that annotators judge again, before anything else. The report "
        "then estimates the score of the system, with an interval. Without a number, all sentences "
        "with a new translation are judged again."
    ),
    system_sampled=ngettext_lazy(
        "%(number)s sentence sampled at random",
        "%(number)s sentences sampled at random",
        "number",
    ),
    judged_again=ngettext_lazy(
        "%(number)s sentence is judged again.", "%(number)s sentences are judged again.", "number"
    ),
    system_counts_explained=_(
        "Known: sentences with an existing translation. New: sentences with a new translation. "
        "Missing: sentences without a translation. Judged again: sentences with a new translation "
        "that had been assigned before."
    ),
    counted_segments="",
    candidates_heading=_("Translations"),
    to_judge=ngettext_lazy(
        "%(number)s sentence to judge.", "%(number)s sentences to judge.", "number"
    ),
    on_segments="",
    disputed=_("Show the most disputed sentences and the largest differences"),
    estimates_explained=_("Annotators judged these systems in a random sample of sentences only."),
    estimate_sample=_("Sampled sentences: %(sampled)s; judged: %(judged)s."),
    estimate_from=ngettext_lazy(
        "from %(number)s new judged sentence", "from %(number)s new judged sentences", "number"
    ),
    estimate_needs=ngettext_lazy(
        "%(number)s more sentence for ± 0.01", "%(number)s more sentences for ± 0.01", "number"
    ),
    reused=ngettext_lazy(
        "Of %(segments)s sentence with answers, the system has a judged text in %(hits)s "
        "(%(rate)s), and nothing to compare in %(missing)s.",
        "Of %(segments)s sentences with answers, the system has a judged text in %(hits)s "
        "(%(rate)s), and nothing to compare in %(missing)s.",
        "segments",
    ),
)

# What is not here, such as the words of estimates, speaks of sentences.
OF_TRANSLATIONS: Final = replace(
    OF_SENTENCES,
    judgements=_("Judgements (translations)"),
    seconds=_("Mean seconds per translation"),
    judged=_(
        "Translations judged, with repeats; results are computed from these. If an annotator "
        "revised a sheet, the last version counts."
    ),
    cost=_("About %(seconds)s s per translation (%(source)s)"),
    pace=_("at %(seconds)s s per translation"),
    with_candidate=_("Translations"),
    covered="%(count)s",
    candidates_heading=_("Translation"),
    to_judge=ngettext_lazy(
        "%(number)s translation to judge.", "%(number)s translations to judge.", "number"
    ),
    sheets=_("Translations"),
    sheets_judged=_("Translations judged"),
    judged_sheets=_(
        "Different translations judged; one that was judged several times counts once."
    ),
    counted_sheets=ngettext_lazy("%(number)s translation", "%(number)s translations", "number"),
    counted_rows=ngettext_lazy("%(number)s translation", "%(number)s translations", "number"),
    sheets_of_work=ngettext_lazy(
        "for %(number)s translation", "for %(number)s translations", "number"
    ),
    unjudged_sheets=ngettext_lazy(
        "%(number)s translation is not judged yet.",
        "%(number)s translations are not judged yet.",
        "number",
    ),
    sheet_texts=_("Source, translation, systems"),
)

# A judgement is of a paragraph, and a sheet a document.
OF_DOCUMENTS: Final = replace(
    OF_TRANSLATIONS,
    judgements=_("Judgements (paragraphs)"),
    seconds=_("Mean seconds per paragraph"),
    judged=_(
        "Paragraphs judged, with repeats; results are computed from these. If an annotator revised "
        "a document, the last version counts."
    ),
    segments=_("Paragraphs"),
    cost=_("About %(seconds)s s per paragraph (%(source)s)"),
    pace=_("at %(seconds)s s per paragraph"),
    with_segments=ngettext_lazy(
        "with %(number)s paragraph", "with %(number)s paragraphs", "number"
    ),
    preview_explained=_(
        "Whole documents are judged, paragraph by paragraph. Up to ten paragraphs, as annotators "
        "will see them."
    ),
    candidates_explained=_("Each translation of a paragraph is judged in its document."),
    sample_heading=_("Sample of paragraphs"),
    sample_explained=_(
        "Annotators judge every paragraph. With little time, have them judge a random sample. You "
        "can add to the sample later."
    ),
    sampled=_("Sampled: %(number)s of %(total)s paragraphs."),
    all_judged=_("Annotators judge all paragraphs."),
    sample_size=_("How many paragraphs"),
    newly_sampled=ngettext_lazy(
        "%(number)s paragraph was sampled.", "%(number)s paragraphs were sampled.", "number"
    ),
    systems_explained=_(
        "You can add a system while people judge. Existing judgements are kept, and also count for "
        "the new system where it produced an existing translation. Only what is new is judged, or "
        "a random sample of it."
    ),
    system_sample_help=_(
        "How many paragraphs annotators judge again, before anything else. The report then "
        "estimates the score of the system, with an interval. Without a number, all that is new is "
        "judged."
    ),
    system_sampled=ngettext_lazy(
        "%(number)s paragraph sampled at random",
        "%(number)s paragraphs sampled at random",
        "number",
    ),
    judged_again=ngettext_lazy(
        "%(number)s paragraph is judged again.",
        "%(number)s paragraphs are judged again.",
        "number",
    ),
    system_counts_explained=_(
        "Known: paragraphs with an existing translation. New: paragraphs with a new translation. "
        "Missing: paragraphs without a translation. Judged again: paragraphs with a new "
        "translation that had been assigned before."
    ),
    files_note=_("In these files, each paragraph is one segment."),
    sheet=_("Document"),
    controls=_("Control documents"),
    skipped_sheets=_("Skipped documents"),
    counted_segments=ngettext_lazy("%(number)s paragraph", "%(number)s paragraphs", "number"),
    rows=_("Paragraphs"),
    all_rows=_("All paragraphs"),
    to_judge=ngettext_lazy(
        "%(number)s paragraph to judge.", "%(number)s paragraphs to judge.", "number"
    ),
    disputed=_("Show the most disputed paragraphs and the largest differences"),
    estimates_explained=_("Annotators judged these systems in a random sample of paragraphs only."),
    estimate_sample=_("Sampled paragraphs: %(sampled)s; judged: %(judged)s."),
    estimate_from=ngettext_lazy(
        "from %(number)s new judged paragraph", "from %(number)s new judged paragraphs", "number"
    ),
    estimate_needs=ngettext_lazy(
        "%(number)s more paragraph for ± 0.01", "%(number)s more paragraphs for ± 0.01", "number"
    ),
    sheets=_("Documents"),
    sheets_judged=_("Documents judged"),
    judged_sheets=_("Different sheets judged: documents, or parts of long ones, of a system."),
    lines=_("Paragraphs"),
    all_lines_judged=_("All documents are judged."),
    counted_lines=ngettext_lazy("%(number)s paragraph", "%(number)s paragraphs", "number"),
    counted_sheets=ngettext_lazy("%(number)s document", "%(number)s documents", "number"),
    row=_("Paragraph %(number)s"),
    counted_rows=ngettext_lazy("%(number)s paragraph", "%(number)s paragraphs", "number"),
    exclude_segment=_("Exclude paragraph"),
    include_segment=_("Include paragraph"),
    exclude_sheet=_("Exclude whole document"),
    include_sheet=_("Include whole document"),
    sheets_of_work=ngettext_lazy("for %(number)s document", "for %(number)s documents", "number"),
    unjudged_sheets=ngettext_lazy(
        "%(number)s document is not judged yet.",
        "%(number)s documents are not judged yet.",
        "number",
    ),
    sheet_design=_("Documents"),
    skip=_("Skip this document"),
    previous=_("Previous document"),
    next=_("Next document"),
    pages=_("Paragraphs"),
    page=_('Paragraph <span class="number">1</span> of %(count)s'),
    previous_page=_("Previous paragraph"),
    next_page=_("Next paragraph"),
    instructions=_(
        "Each paragraph is judged as a part of its document: what other paragraphs say counts, and "
        "so does what they make right or wrong."
    ),
)
