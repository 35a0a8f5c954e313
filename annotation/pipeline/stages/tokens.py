"""The tokens of source sentences and translations."""

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.pipeline.stages import Part, StageResult
from annotation.preparation.tokens import tokens_of, version


def tokenise(part: Part) -> StageResult:
    """Store the tokens of each source sentence and translation."""
    project, options = part.project, part.options
    given = options.tokenized or options.source_tokenized
    sentences = list(part.sentences)
    translations = list(part.translations)
    total = len(sentences) + len(translations)
    for sentence in sentences:
        tokens = tokens_of(sentence.text, project.source_language, given=given)
        sentence.tokens = " ".join(tokens)
    for done, target in enumerate(translations, start=len(sentences)):
        if done % ROWS_PER_BATCH == 0:
            part.progress(done, total)
        tokens = tokens_of(target.text, project.target_language, given=options.tokenized)
        target.tokens = " ".join(tokens)
    with part.writing():
        update_rows(sentences, "tokens")
        update_rows(translations, "tokens")
    return {"tokens": "given" if options.tokenized else f"sacremoses {version()}"}
