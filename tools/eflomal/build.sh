#!/bin/sh
# Build a wheel of eflomal with our patch: tools/eflomal/build.sh PYTHON WHEELS
#
# Without the program `patch` the wheel is eflomal as it was published, which takes no seed.
set -eu
python=$1
wheels=$2
pins=requirements-eflomal.txt
patch=$(dirname "$0")/seed.patch
export PIP_CONSTRAINT="$pins" PIP_BUILD_CONSTRAINT="$pins" PIP_DISABLE_PIP_VERSION_CHECK=1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# One environment for both; pip would make one to read the metadata, and another one to build.
"$python" -m venv "$folder/environment"
build=$folder/environment/bin/python
grep -v '^eflomal==' "$pins" > "$folder/build-requirements.txt"
"$build" -m pip install --no-compile -r "$folder/build-requirements.txt"
"$build" -m pip download --no-build-isolation --no-binary eflomal --no-deps --dest "$folder" \
  "$(grep '^eflomal==' "$pins")"
tar -xzf "$folder"/eflomal-*.tar.gz -C "$folder"
rm "$folder"/eflomal-*.tar.gz
sources=$(echo "$folder"/eflomal-*)
if command -v patch > /dev/null; then
  patch --directory "$sources" --strip 1 < "$patch"
fi
# pip would cache the wheel for a folder that is deleted now.
"$build" -m pip wheel -v --no-build-isolation --no-cache-dir --no-deps --wheel-dir "$wheels" "$sources"
