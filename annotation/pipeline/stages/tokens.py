"""The tokens of source sentences and translations."""

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.pipeline.stages import Part, StageResult
from annotation.preparation.tokens import VERSION, tokenizer


def tokenise(part: Part) -> StageResult:
    """Store the places of the tokens of each source sentence and translation."""
    project, options = part.project, part.options
    cut_source = tokenizer(
        project.source_language, given=options.tokenized or options.source_tokenized
    )
    cut_target = tokenizer(project.target_language, given=options.tokenized)
    sentences = list(part.sentences)
    translations = list(part.translations)
    total = len(sentences) + len(translations)
    for sentence in sentences:
        sentence.tokens = cut_source(sentence.text).places
    for done, target in enumerate(translations, start=len(sentences)):
        if done % ROWS_PER_BATCH == 0:
            part.progress(done, total)
        target.tokens = cut_target(target.text).places
    with part.writing():
        update_rows(sentences, "tokens")
        update_rows(translations, "tokens")
    return {"tokens": "given" if options.tokenized else VERSION}
