#!/bin/sh
# Make stand-ins for the base images from Debian's packages, unless they are there already:
# tests/images/make_bases.sh
#
# They have the names that Dockerfile and docker-compose.yml expect, and the versions of Debian. The
# stand-in of PostgreSQL creates its database as the official image does, in the few lines below.
# pip in them trusts the certificates of this machine, and apt keeps no caches, as in the official ones.
set -eu
cd "$(dirname "$0")/../.."
python=$(sed -n 's/^FROM \(python:\S*\) AS base$/\1/p' Dockerfile)
postgres=$(sed -n 's/^ *image: \(postgres:\S*\)$/\1/p' docker-compose.yml)
redis=$(sed -n 's/^ *image: \(redis:\S*\)$/\1/p' docker-compose.yml)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

is_there() {
  buildah images --quiet "docker.io/library/$1" > /dev/null 2>&1
}

if ! is_there "$python"; then
  debootstrap --variant=minbase \
    --include=ca-certificates,netbase,python3.11,python3-dev,python3-venv,tzdata \
    bookworm "$here/root" > "$here/log" 2>&1 || { tail -n 20 "$here/log"; exit 1; }
  for name in python python3 python3.11; do
    ln -s /usr/bin/python3.11 "$here/root/usr/local/bin/$name"
  done
  cp /etc/ssl/certs/ca-certificates.crt "$here/root/etc/ssl/certs/"
  printf 'Dir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n' \
    > "$here/root/etc/apt/apt.conf.d/docker-clean"
  printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' > "$here/root/etc/pip.conf"
  mirror=http://deb.debian.org
  printf "deb $mirror/%s main\n" "debian bookworm" "debian bookworm-updates" \
    "debian-security bookworm-security" > "$here/root/etc/apt/sources.list"
  # The official image has none of it either.
  rm -rf "$here"/root/var/cache/apt/* "$here"/root/var/lib/apt/lists/* \
    "$here"/root/usr/share/doc/* "$here"/root/usr/share/man/* "$here"/root/usr/share/locale/*
  container=$(buildah from scratch)
  cp -a "$here/root/." "$(buildah mount "$container")/"
  buildah umount "$container" > /dev/null
  buildah config --cmd python3 \
    --env PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin "$container"
  buildah commit --quiet --rm "$container" "docker.io/library/$python" > /dev/null
fi

if ! is_there "$postgres"; then
  cat > "$here/entrypoint" <<'END'
#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --locale=C.UTF-8 > /tmp/log
  rm /tmp/password
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | postgres --single postgres > /tmp/log
fi
exec "$@"
END
  cat > "$here/Dockerfile" <<END
FROM $python
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-15 \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=postgres --mode=700 /var/lib/postgresql/data \
    && chmod 3777 /run/postgresql
COPY --chmod=755 entrypoint /
ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
ENTRYPOINT ["/entrypoint"]
END
  buildah bud --isolation chroot --pull-never --tag "docker.io/library/$postgres" "$here" \
    > "$here/log" 2>&1 || { tail -n 20 "$here/log"; exit 1; }
fi

if ! is_there "$redis"; then
  cat > "$here/Dockerfile" <<END
FROM $python
RUN apt-get update && apt-get install --yes --no-install-recommends redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=redis --mode=700 /data
WORKDIR /data
END
  buildah bud --isolation chroot --pull-never --tag "docker.io/library/$redis" "$here" \
    > "$here/log" 2>&1 || { tail -n 20 "$here/log"; exit 1; }
fi
