#!/bin/sh
# Adds captions to a video as CEA-608, in a closed-caption track of QuickTime (c608), without encoding the video again:
#
#   rxscribe transcribe talk.mp4 --format scc >talk.scc
#   ./embed-captions.sh talk.mp4 talk.scc talk.mov
#
# Needs ffmpeg.
set -eu
if [ $# -ne 3 ]; then
  echo "usage: $0 VIDEO CAPTIONS.scc OUTPUT.mov" >&2
  exit 2
fi

codes=$(mktemp "${TMPDIR:-/tmp}/captions-XXXXXX")
trap 'rm -f "$codes"' EXIT

# A line of codes is sent at one pair a frame. ffmpeg gives a line to the decoder at once, so each pair gets a line of its own;
# a pair of nulls at the end gives the last code a duration, without which ffmpeg drops it.
awk '
  function show(pair) {
    printf "%02d:%02d:%02d%s%02d\t%s\n\n", hours, minutes, seconds, mark, frames, pair
    if (++frames < 30) return
    frames = 0
    if (++seconds < 60) return
    seconds = 0
    # Drop-frame timecodes skip two numbers at the start of each minute but every tenth.
    if (++minutes % 10 > 0 && mark == ";") frames = 2
    if (minutes < 60) return
    minutes = 0
    hours++
  }
  { sub(/\r$/, "") }
  NR == 1 { print; print ""; next }
  /^[0-9]/ {
    split($1, parts, /[:;]/)
    hours = parts[1] + 0; minutes = parts[2] + 0; seconds = parts[3] + 0; frames = parts[4] + 0
    mark = index($1, ";") ? ";" : ":"
    for (at = 2; at <= NF; at++) show($at)
  }
  END { if (mark) show("8080") }
' "$2" >"$codes"

ffmpeg -nostdin -loglevel error -y -i "$1" -f scc -i "$codes" -map 0:v -map '0:a?' -map 1:s -c copy -f mov "$3"
