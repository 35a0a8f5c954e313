# Three images: `web` and `worker` for docker-compose.yml and, by default, `segranks`: a whole site
# on SQLite in one process. See docs/deployment.md.

FROM python:3.11.17-slim-bookworm AS base
ENV PATH=/srv/segranks/.venv/bin:/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin \
    PYTHONUNBUFFERED=1 \
    SEGRANKS_DATA=/data \
    STATIC_ROOT=/srv/segranks/.static \
    HOME=/tmp
# A new volume at /data gets the owner and the mode of this folder.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin segranks \
    && install --directory --owner=segranks --group=segranks --mode=700 /data
WORKDIR /srv/segranks

# --- what is built, and not part of any image ------------------------------------------------

FROM base AS code
COPY . .
RUN rm -r Makefile requirements*.txt tools docs examples tests mkdocs.yml CHANGELOG.md \
       CONTRIBUTING.md SECURITY.md \
    && python -m compileall -q annotation api crowd evaluation operations people segranks webhooks

FROM base AS light-packages
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make patch \
    && rm -rf /var/lib/apt/lists/*
COPY Makefile requirements-light.txt requirements-eflomal.txt requirements.txt ./
ENV PIP_COMPILE=0
RUN make .venv/.light
COPY tools tools

# No page needs an aligner, because workers prepare projects. Compiled is what Python imports when
# the last commands start; the rest would be 30 MB.
FROM light-packages AS web-packages
COPY --from=code /srv/segranks .
RUN python -m pip uninstall --quiet --yes systran-align \
    && SEGRANKS_DATA=/tmp/building tools/images/collect_static.sh \
    && tools/images/trim.sh .venv \
    && SEGRANKS_DATA=/tmp/building python manage.py check \
    && SEGRANKS_DATA=/tmp/building celery -A segranks report > /tmp/report \
    && SEGRANKS_DATA=/tmp/building gunicorn --check-config \
      --config python:segranks.gunicorn segranks.wsgi

FROM light-packages AS documentation
COPY requirements-docs.txt ./
RUN make .venv/.docs
COPY . .
RUN make docs

# PACKAGES=full adds stanza and torch (gigabytes). eflomal is built without -march=native.
FROM light-packages AS worker-packages
ARG PACKAGES=light
RUN make .venv/.${PACKAGES} \
    && make eflomal-portable WHEELS=/tmp/wheels \
    && python -m pip install --no-index --no-deps --no-cache-dir /tmp/wheels/eflomal-*.whl \
    && tools/images/trim.sh .venv \
    && python -m compileall -q .venv/lib

# --- the images ------------------------------------------------------------------------------

FROM base AS web
COPY --from=web-packages /srv/segranks/.venv .venv
COPY --from=web-packages /srv/segranks/.static .static
COPY --from=documentation /srv/segranks/.docs .docs
COPY --from=code /srv/segranks .
USER 10001
EXPOSE 8000
CMD ["gunicorn", "--config", "python:segranks.gunicorn", "--bind", "0.0.0.0:8000", "segranks.wsgi"]

FROM base AS worker
# eflomal needs OpenMP.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=worker-packages /srv/segranks/.venv .venv
COPY --from=code /srv/segranks .
USER 10001
CMD ["celery", "-A", "segranks", "worker", "--loglevel", "INFO"]

FROM worker AS segranks
COPY --from=web-packages /srv/segranks/.static .static
COPY --from=documentation /srv/segranks/.docs .docs
EXPOSE 8000
CMD ["python", "manage.py", "up", "--host", "0.0.0.0"]
