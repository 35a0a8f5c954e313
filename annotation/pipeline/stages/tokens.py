"""The tokens of source sentences and translations."""

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.pipeline.stages.part import Part, StageResult
from annotation.preparation import tokens as moses


def tokenise(part: Part) -> StageResult:
    """Store the tokens of each source sentence and translation."""
    project, options = part.project, part.options
    given = options.tokenized or options.source_tokenized
    sentences = list(part.sentences)
    translations = list(part.translations)
    total = len(sentences) + len(translations)
    for sentence in sentences:
        sentence.tokens = tokens_of(sentence.text, project.source_language, given)
    for done, target in enumerate(translations, start=len(sentences)):
        if done % ROWS_PER_BATCH == 0:
            part.progress(done, total)
        target.tokens = tokens_of(target.text, project.target_language, options.tokenized)
    with part.writing():
        update_rows(sentences, "tokens")
        update_rows(translations, "tokens")
    return {"tokens": "given" if options.tokenized else f"sacremoses {moses.version()}"}


def tokens_of(text: str, language: str, given: bool) -> str:
    """Return the tokens of a text, joined by spaces; `given` says that the text is tokenised."""
    return " ".join(moses.given_tokens(text) if given else moses.tokenize(text, language))
