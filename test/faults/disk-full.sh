#!/bin/sh
# A full disk, for real: the data folder is a small tmpfs, which is filled and freed again under a running service.
# Shows that a request that has to write gets 503 while the disk is full, that what was there before is still there
# after, and that the service recovers without a restart. Needs root (it mounts). Not part of npm test.
#   sudo sh test/faults/disk-full.sh
set -eu

cd "$(dirname "$0")/../.."
export PATH="$PWD/node_modules/.bin:$PATH"
work=$(mktemp -d)
data="$work/data"
port=${PORT:-4799}
service=

clean_up() {
  if [ -n "$service" ] && kill -0 "$service" 2>/dev/null; then
    kill -TERM "$service"
    wait "$service" 2>/dev/null || true
  fi
  umount "$data" 2>/dev/null || umount -l "$data" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

fail() {
  echo "FAILED: $1" >&2
  tail -n 20 "$work/service.log" >&2
  exit 1
}

# A sign-in attempt writes (every attempt is recorded), right password or not.
status_of_a_write() {
  curl -s -o /dev/null -m 20 -w '%{http_code}' -H "origin: http://localhost:$port" \
    --data-urlencode 'user=nobody' --data-urlencode 'password=wrong-on-purpose' "http://localhost:$port/login" || true
}

# Asks until the status is (not) 503, at most 60 times: wait_until <is|is-not>
wait_until() {
  tries=0
  while [ $tries -lt 60 ]; do
    status=$(status_of_a_write)
    if [ "$1" = is ] && [ "$status" = 503 ]; then return 0; fi
    if [ "$1" = is-not ] && [ "$status" != 503 ] && [ "$status" != 000 ]; then return 0; fi
    tries=$((tries + 1))
    sleep 0.5
  done
  return 1
}

mkdir "$data"
mount -t tmpfs -o size=200m,mode=0700 tmpfs "$data"

DATA_DIR="$data" PORT="$port" RATE_LIMITS=off node src/cli.ts serve >"$work/service.log" 2>&1 &
service=$!
wait_until is-not || fail 'the service did not start'
before=$(status_of_a_write)
echo "before: a write is answered $before"

dd if=/dev/zero of="$data/filler" bs=64k 2>/dev/null || true
# Space that PostgreSQL has set aside already (its WAL segments) serves some writes more, so it is asked repeatedly.
if wait_until is; then
  echo 'full: a write is answered 503'
else
  fail "the disk is full and a write is still answered $status"
fi
kill -0 "$service" || fail 'the service ended'

rm "$data/filler"
wait_until is-not || fail 'space is free again and a write is still refused'
after=$(status_of_a_write)
kill -0 "$service" || fail 'the service ended'
echo "freed: a write is answered $after, by the same process"
[ "$before" = "$after" ] || fail "a write was answered $before before and $after after"
echo 'passed'
