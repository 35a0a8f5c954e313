"""What reports say where paragraphs are judged, in place of texts that speak of sentences."""

from collections.abc import Mapping
from typing import Final

from evaluation.rendering.text import Text, _

# By the message of the text that speaks of sentences; both have the same placeholders.
PARAGRAPHS: Final[Mapping[str, Text]] = {
    "Sentences": _("Paragraphs"),
    "Sentence": _("Paragraph"),
    "Sentences judged": _("Paragraphs judged"),
    "More sentences": _("More paragraphs"),
    "Sentences for %(difference)s": _("Paragraphs for %(difference)s"),
    "other sentences": _("other paragraphs"),
    "p, other sentences": _("p, other paragraphs"),
    "Changes per 100 sentences judged": _("Changes per 100 paragraphs judged"),
    "Intervals to be expected after more sentences": _(
        "Intervals to be expected after more paragraphs"
    ),
    "Segments or sentences with the least agreement.": _("Paragraphs with the least agreement."),
    "Sentences with the largest difference between systems.": _(
        "Paragraphs with the largest difference between systems."
    ),
    "Kendall’s τ between the ranking by fewer sentences and that by all, and the mean width of its "
    "intervals.": _(
        "Kendall’s τ between the ranking by fewer paragraphs and that by all, and the mean width "
        "of its intervals."
    ),
    "Score: mean over sentences of the mean over judgements.": _(
        "Score: mean over paragraphs of the mean over judgements."
    ),
    "Ranks and clusters are by Wilcoxon’s signed-rank test of the sentences that two systems "
    "share, as at WMT24, or of the documents or blocks that are sampled (p < 0.05): for others "
    "judged by the same annotators.": _(
        "Ranks and clusters are by Wilcoxon’s signed-rank test of the paragraphs that two systems "
        "share, as at WMT24, or of the documents or blocks that are sampled (p < 0.05): for others "
        "judged by the same annotators."
    ),
    "The first interval is for other sentences judged by the same annotators, the second for other "
    "annotators too.": _(
        "The first interval is for other texts judged by the same annotators, the second for other "
        "annotators too."
    ),
    "Points: sum over the errors that an annotator marked in a translation, mean over annotators, "
    "mean over sentences. Errors: marked in a judgement, on average; omissions: judgements that "
    "say that something is missing. Ranks and clusters are by Wilcoxon’s signed-rank test of the "
    "sentences that two systems share (p < 0.05, as at WMT24), with the points of %(weights)s: for "
    "other sentences judged by the same annotators.": _(
        "Points: sum over the errors that an annotator marked in a translation, mean over "
        "annotators, mean over paragraphs. Errors: marked in a judgement, on average; omissions: "
        "judgements that say that something is missing. Ranks and clusters are by Wilcoxon’s "
        "signed-rank test of the paragraphs that two systems share (p < 0.05, as at WMT24), or of "
        "the documents or blocks that are sampled, with the points of %(weights)s: for others "
        "judged by the same annotators."
    ),
    "z: a score minus the mean of all scores of its annotator, divided by their standard "
    "deviation; a sentence has the mean of its scores, and a system that of its sentences. Better "
    "than: by a one-sided rank-sum test of sentences, or of the documents or blocks that are "
    "sampled, p < 0.05, judged by these annotators. A cluster ends where all systems above are "
    "better than all below; that of WMT ends after a system that is better than as many systems as "
    "are below it.": _(
        "z: a score minus the mean of all scores of its annotator, divided by their standard "
        "deviation; a paragraph has the mean of its scores, and a system that of its paragraphs. "
        "Better than: by a one-sided rank-sum test of paragraphs, or of the documents or blocks "
        "that are sampled, p < 0.05, judged by these annotators. A cluster ends where all systems "
        "above are better than all below; that of WMT ends after a system that is better than as "
        "many systems as are below it."
    ),
    "Intervals, rank ranges and clusters say what other sentences judged by the same annotators "
    "would give. They cannot say what other annotators would find: %(why)s.": _(
        "Intervals, rank ranges and clusters say what other texts judged by the same annotators "
        "would give. They cannot say what other annotators would find: %(why)s."
    ),
    "The first interval is for other sentences judged by the same annotators, the second for other "
    "sentences and other annotators. Rank ranges and clusters are for both.": _(
        "The first interval is for other texts judged by the same annotators, the second for other "
        "texts and other annotators. Rank ranges and clusters are for both."
    ),
    "“Missing” is the share of judged segments or sentences without a candidate.": _(
        "“Missing” is the share of judged paragraphs without a candidate."
    ),
    "Time is what a judgement of this length adds to the time for a sentence. A token is a word or "
    "a punctuation mark.": _(
        "Time is what a judgement of this length adds to the time for a paragraph. A token is a "
        "word or a punctuation mark."
    ),
    "For each number of sentences, random samples are ranked, drawn with replacement. τ is 1 if "
    "the order of systems is the same as with all sentences, and 0 if the orders are unrelated; "
    "the band covers 95 % of the samples. It stays below 1 because samples differ.": _(
        "For each number of paragraphs, random samples are ranked, drawn with replacement. τ is 1 "
        "if the order of systems is the same as with all paragraphs, and 0 if the orders are "
        "unrelated; the band covers 95 % of the samples. It stays below 1 because samples differ."
    ),
    "Carry-over is the correlation of a share with that of the previous sentence of the same "
    "annotator. Near 0 there is none; slow changes of an annotator count as carry-over too. The "
    "last effect is 0.5 if the order of display makes no difference.": _(
        "Carry-over is the correlation of a share with that of the previous paragraph of the same "
        "annotator. Near 0 there is none; slow changes of an annotator count as carry-over too. "
        "The last effect is 0.5 if the order of display makes no difference."
    ),
    "Carry-over of ties from the previous sentence": _(
        "Carry-over of ties from the previous paragraph"
    ),
    "Carry-over of Garbage from the previous sentence": _(
        "Carry-over of Garbage from the previous paragraph"
    ),
    "Change per 100 sentences judged: −10 % means that a judgement takes a tenth less time than a "
    "hundred sentences earlier. Agreement is the share of pairs on which other annotators "
    "agree.": _(
        "Change per 100 paragraphs judged: −10 % means that a judgement takes a tenth less time "
        "than a hundred paragraphs earlier. Agreement is the share of pairs on which other "
        "annotators agree."
    ),
    "Differences of the win rate of a pair from 0.5 that these judgements would have shown as "
    "significant (p < 0.05) with a probability of 80 %; 0.5 stands for none. A pair without a star "
    "may differ by less than that. The last columns estimate how many sentences the median pair "
    "needs for other differences.": _(
        "Differences of the win rate of a pair from 0.5 that these judgements would have shown as "
        "significant (p < 0.05) with a probability of 80 %; 0.5 stands for none. A pair without a "
        "star may differ by less than that. The last columns estimate how many paragraphs the "
        "median pair needs for other differences."
    ),
    "It takes the next sentences to be like those judged so far, and judged by the same "
    "annotators. Score: %(score)s. Pairs below 1 %% are not listed.": _(
        "It takes the next paragraphs to be like those judged so far, and judged by the same "
        "annotators. Score: %(score)s. Pairs below 1 %% are not listed."
    ),
}
