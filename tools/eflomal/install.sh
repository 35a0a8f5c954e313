#!/bin/sh
# Build eflomal with our patch, and install it for a Python: tools/eflomal/install.sh PYTHON
set -eu
python=$1
pins=requirements-eflomal.txt
export PIP_DISABLE_PIP_VERSION_CHECK=1

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
sh "$(dirname "$0")/build.sh" "$python" "$wheels"
"$python" -m pip install --force-reinstall --no-deps "$wheels"/eflomal-*.whl
PIP_CONSTRAINT="$pins" "$python" -m pip install -r "$pins"
