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

# A wrong secret is recorded before it is refused (401). Each time of another app: too many of one are refused unseen.
status_of_a_write() {
  app=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  curl -s -o /dev/null -m 20 -w '%{http_code}' -d grant_type=refresh_token -d refresh_token=none \
    -d "client_id=$app" -d client_secret=wrong-on-purpose "http://localhost:$port/token" || true
}

# The same many times: PostgreSQL has set space aside (its WAL segments, room in its pages), and small writes find some
# for long.
write_much() {
  node -e '
    const [port] = process.argv.slice(1)
    const hex = () => require("node:crypto").randomBytes(16).toString("hex")
    const write = () => fetch(`http://localhost:${port}/token`, {
      method: "POST",
      signal: AbortSignal.timeout(20000),
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: hex(), client_secret: hex() }),
    }).then((answer) => answer.status, () => 0)
    const lane = async () => { for (let round = 0; round < 40; round++) if (await write() === 503) return }
    Promise.all(Array.from({ length: 16 }, lane))' "$port"
}

# The token of the start message still opens what was there before.
status_of_a_read() {
  curl -s -o /dev/null -m 20 -w '%{http_code}' -H "Authorization: Bearer $token" \
    "http://localhost:$port/sim/openapi/port/v1/users/me" || true
}

# Asks until the status is (not) 503, at most 60 times: wait_until <is|is-not>
wait_until() {
  tries=0
  while [ $tries -lt 60 ]; do
    status=$(status_of_a_write)
    if [ "$1" = is ] && [ "$status" = 503 ]; then return 0; fi
    if [ "$1" = is-not ] && [ "$status" != 503 ] && [ "$status" != 000 ]; then return 0; fi
    tries=$((tries + 1))
    if [ "$1" = is ]; then write_much; else sleep 0.5; fi
  done
  return 1
}

mkdir "$data"
mount -t tmpfs -o size=200m,mode=0700 tmpfs "$data"

DATA_DIR="$data" PORT="$port" node src/cli/cli.ts serve >"$work/message" 2>"$work/service.log" &
service=$!
wait_until is-not || fail 'the service did not start'
token=$(sed -n 's/.*Bearer \([^"]*\)".*/\1/p' "$work/message")
before=$(status_of_a_write)
echo "before: a write is answered $before, a read $(status_of_a_read)"
[ "$before" = 401 ] || fail "a wrong secret is answered $before"

dd if=/dev/zero of="$data/filler" bs=64k 2>/dev/null || true
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
read=$(status_of_a_read)
echo "freed: a write is answered $after, a read $read, by the same process"
[ "$after" = 401 ] || fail "a wrong secret is answered $after"
[ "$read" = 200 ] || fail "the token from before is answered $read"
echo 'passed'
