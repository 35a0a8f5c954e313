#!/bin/sh
# Build the images, print what is in them, and try them: tests/images/build_and_try.sh FORMER [TRIES]
#
# FORMER is the commit whose data is upgraded, and TRIES are any of: compose site mistakes. It runs
# as root on a Debian with the packages buildah, podman, runc, catatonit and debootstrap, and with
# Chromium. No image registry is needed: the base images are made of Debian's packages. Its images
# (two gigabytes) are where /etc/containers/storage.conf, or the file CONTAINERS_STORAGE_CONF, says.
set -eu
former=$1
shift
cd "$(dirname "$0")/../.."
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

build() {
  start=$(date +%s)
  buildah bud --isolation chroot --pull-never --layers --tag "$@" > "$here/log" 2>&1 || {
    tail -n 30 "$here/log"
    exit 1
  }
  echo "built $1 in $(($(date +%s) - start)) s"
}

tests/images/make_bases.sh
build segranks:latest .
build segranks-web:latest --target web .
build segranks-worker:latest --target worker .

# The code of the former commit, and the recipe of this one.
mkdir "$here/former"
git archive "$former" | tar -x -C "$here/former"
cp Dockerfile .dockerignore Makefile "$here/former/"
mkdir -p "$here/former/tools/images"
cp tools/images/* "$here/former/tools/images/"
build segranks:former "$here/former"
build segranks-web:former --target web "$here/former"
build segranks-worker:former --target worker "$here/former"

for image in segranks-web segranks-worker segranks; do
  echo "$image:latest, megabytes and instruction of each layer:"
  podman history --format '{{.Size}} {{.CreatedBy}}' "$image:latest" | grep -v '^0 B' | cut -c 1-110
done

# A network namespace of its own, so that no port of this machine is taken.
unshare --net sh -c 'ip link set lo up && exec "$@"' sh \
  .venv/bin/python -m tests.images.try_images "$@"
