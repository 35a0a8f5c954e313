#!/bin/sh
# Collect the static files of an image, without those that no page uses: tools/images/collect_static.sh
set -eu
packages=$(echo .venv/lib/python3.*/site-packages)
# The reference of the API is shown by Swagger UI.
rm -r "$packages"/drf_spectacular_sidecar/static/drf_spectacular_sidecar/redoc
python manage.py collectstatic --noinput --verbosity 0
# For debuggers. Django needs them above, because scripts name them.
find .static -name '*.map*' -delete
