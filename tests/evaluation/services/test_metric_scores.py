from evaluation.metrics.references import References
from evaluation.services.metric_scores import WholeTexts, score_texts


def test_progress_counts_systems_by_metrics():
    texts = WholeTexts(
        systems=("A", "B"),
        outputs=(("a",), ("b",)),
        references=References.by_sentence([["a"]]),
        sentence_numbers=(1,),
        all_sentences=1,
        without_outputs=(),
    )
    seen: list[tuple[int, int]] = []

    score_texts(
        texts,
        "en",
        ("chrf", "wer"),
        systems=texts.systems,
        sentence_numbers=[1],
        progress=lambda done, total: seen.append((done, total)),
    )

    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
