# Two images: `web`, and `worker` with eflomal.

FROM python:3.11.17-slim-bookworm AS base
ENV PATH=/srv/segranks/.venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONUNBUFFERED=1 \
    SEGRANKS_DATA=/data \
    STATIC_ROOT=/srv/segranks/.static \
    HOME=/tmp
# A new volume at /data gets the owner and the mode of this folder.
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin segranks \
    && install --directory --owner=segranks --group=segranks --mode=700 /data
WORKDIR /srv/segranks

FROM base AS web-packages
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make patch \
    && rm -rf /var/lib/apt/lists/*
COPY Makefile requirements-light.txt requirements-eflomal.txt requirements.txt ./
RUN make .venv/.light

# PACKAGES=full adds stanza and torch (gigabytes). eflomal is built without -march=native.
FROM web-packages AS worker-packages
ARG PACKAGES=light
COPY tools/eflomal tools/eflomal
RUN make .venv/.${PACKAGES} \
    && make eflomal-portable WHEELS=/tmp/wheels \
    && python -m pip install --no-index --no-deps --no-cache-dir /tmp/wheels/eflomal-*.whl

FROM base AS web
COPY --from=web-packages /srv/segranks/.venv .venv
COPY . .
RUN SEGRANKS_DATA=/tmp/building python manage.py collectstatic --noinput --verbosity 0 \
    && python -m compileall -q annotation api crowd evaluation operations people segranks webhooks \
    && rm -r /tmp/building
USER segranks
EXPOSE 8000
CMD ["gunicorn", "--config", "python:segranks.gunicorn", "--bind", "0.0.0.0:8000", "segranks.wsgi"]

FROM base AS worker
# eflomal needs OpenMP.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=worker-packages /srv/segranks/.venv .venv
COPY . .
RUN python -m compileall -q annotation api crowd evaluation operations people segranks webhooks
USER segranks
CMD ["celery", "-A", "segranks", "worker", "--loglevel", "INFO"]
