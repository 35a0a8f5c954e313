#!/bin/sh
# Remove from a virtual environment what no process of an image needs: tools/images/trim.sh FOLDER
#
# pip is removed too, so nothing can be installed there afterwards.
set -eu
folder=$1
packages=$(echo "$folder"/lib/python3.*/site-packages)

# torch asks for setuptools.
if [ ! -e "$packages"/torch ]; then
  "$folder"/bin/python -m pip uninstall --quiet --yes setuptools
fi
"$folder"/bin/python -m pip uninstall --quiet --yes pip
rm -f "$folder"/*.log

# Tests, sources of translations, type hints and compiled modules, and what collectstatic copies.
find "$packages" -type d \( -name tests -o -path '*/nltk/test' -o -path '*/joblib/test' \) \
  -prune -exec rm -r {} +
find "$packages" -type f \( -name '*.po' -o -name '*.pyi' -o -name '*.pyx' \) -delete
rm -rf "$packages"/*/static "$packages"/django/contrib/*/static

# Languages that no page has (LANGUAGES in segranks/settings.py).
find "$packages" -type f -name '*.mo' -not -path '*/cs/*' -not -path '*/de/*' -not -path '*/en/*' \
  -not -path '*/es/*' -not -path '*/fr/*' -delete

# Parts of scipy that neither SegRanks nor the rest of scipy imports.
for part in cluster datasets differentiate fftpack io odr signal; do
  rm -r "$packages/scipy/$part"
done

# strip may damage what auditwheel has patched (*.libs).
find "$packages" -type f -name '*.so' -not -path '*.libs/*' -exec strip --strip-unneeded {} +

# What is imported within functions.
"$folder"/bin/python -B -c 'import openpyxl, sacrebleu, scipy.sparse, scipy.special, scipy.stats
from nltk.stem.snowball import SnowballStemmer
from nltk.tree import Tree'
