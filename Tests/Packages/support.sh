# For the scripts in this folder, which run in a new Debian system with the packages in /packages and the checkout in /project.
set -euo pipefail
fail() {
  echo "test-deb: $*" >&2
  exit 1
}
# Prints a line for each step.
step() { echo "-- $*"; }
quietly() { "$@" > /tmp/log 2>&1 || { cat /tmp/log >&2; fail "failed: $*"; }; }

# Waits for up to 60 s until a command succeeds.
await() {
  for _ in {1..600}; do
    "$@" > /dev/null 2>&1 && return
    sleep 0.1
  done
  "$@" || { cat /tmp/serve.log >&2; fail "was not so within 60 s: $*"; }
}

# Runs a command as a user with a home and a runtime folder.
user=(setpriv --reuid player --regid player --clear-groups env HOME=/home/player XDG_RUNTIME_DIR=/run/user)
as_user() { "${user[@]}" "$@"; }
add_user() {
  useradd --create-home player
  install -d -m700 -o player -g player /run/user
}

# Starts portative serve as the user, with the options. It is not a job of a function, which would be ended in its place.
start_server() {
  "${user[@]}" portative serve "$@" > /tmp/serve.log 2>&1 &
  server=$!
}
stop_server() {
  kill "$server"
  wait "$server" || [ $? -eq 143 ] || { cat /tmp/serve.log >&2; fail "serve did not end by the signal"; }
}

# Renders the demo song as the build did. The SoundFont is named: another one may have been recommended, and be the default of
# the system.
font=/usr/share/portative/SoundFonts/Portative.sf2
render_demo() {
  as_user portative --version
  as_user portative doctor > /tmp/log || true
  grep -q 'FluidSynth' /tmp/log || { cat /tmp/log >&2; fail "doctor does not report FluidSynth"; }
  cp /project/SoundFonts/demo.mid .
  as_user /project/Tests/Packages/render portative "$font" demo.mid
  sha256sum --check /packages/demo.sha256
  as_user portative render --quiet --soundfont "$font" --raw --bits 32f -o demo.raw demo.mid
}

# Serves, lists, and plays with the bits of demo.raw.
play_demo() {
  start_server --soundfont "$font" --midi none --audio none
  await sh -c "${user[*]} portative list | grep -q 'General MIDI .*running'"
  as_user portative list
  as_user portative play --quiet -n "General MIDI" --raw --bits 32f -o played.raw demo.mid
  cmp played.raw demo.raw
  as_user portative list --status > /tmp/log || fail "no status"
  stop_server
}
