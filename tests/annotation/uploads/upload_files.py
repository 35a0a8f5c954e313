"""Small texts to upload."""

import io
import zipfile
from collections.abc import Mapping

SOURCE = "The old house stands near the river .\nNobody has seen the garden for years .\n"
REFERENCE = "Starý dům stojí u řeky .\nZahradu nikdo neviděl celé roky .\n"
NORTH = "Starý dům stojí blízko řeky .\nNikdo neviděl zahradu roky .\n"
SOUTH = "Stará dům stojí u řeka .\nNikdo zahrada neviděl po léta .\n"
TEXTS = {
    "source.txt": SOURCE,
    "reference.txt": REFERENCE,
    "systems/north.txt": NORTH,
    "systems/south.txt": SOUTH,
}
TREES = (
    "(S (NP (DT The) (JJ old) (NN house)) (VP (VBZ stands) (PP (IN near) (NP (DT the) "
    "(NN river)))) (. .))\n"
    "(S (NP (NN Nobody)) (VP (VBZ has) (VBN seen) (NP (DT the) (NN garden)) (PP (IN for) "
    "(NP (NNS years)))) (. .))\n"
)
LINKS = "0-0 1-0 2-1 3-2 4-3 5-4 6-4 7-5\n0-0 2-1 3-2 4-2 6-3 7-4\n"
SEGMENTS = (
    "1\tthe old house\tstarý dům\tthe old\tstarý\t0 1\n"
    "1\tthe old house\tstarý dům\tthe old\tten starý\t0 1\n"
    "2\ta green tree\tzelený strom\tgreen tree\tstrom\t1 2\n"
)
GIVEN = "1\told house\t1 2\n1\tnear the river\t4 5 6\n2\tthe garden\t3 4\n"
DOCUMENTS = "news\nnews\n"
SYSTEMS = "1\tthe old\tnorth\tstarý\t0 1\n1\tthe old\tsouth\tten starý\t0 1\n"


def conllu(*sentences: str) -> str:
    """Return sentences in which every word depends on the one before it."""
    blocks = []
    for sentence in sentences:
        rows = [
            "\t".join((str(n), word, word, "NOUN", "_", "_", str(n - 1), "dep", "_", "_"))
            for n, word in enumerate(sentence.split(), start=1)
        ]
        blocks.append("\n".join(["# text = " + sentence, *rows]) + "\n")
    return "\n".join(blocks)


CONLLU = conllu(*SOURCE.splitlines())


def make_zip(files: Mapping[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()
