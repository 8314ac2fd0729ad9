import type { Cue } from '../../../transcript/cues/cue.ts';
import { isShowable } from '../../../transcript/formats/captionFormat.ts';
import { writeVtt } from '../../../transcript/formats/vtt.ts';
import { channelOf, type PerChannel, withChannel } from '../../../transcript/model/events.ts';
import type { MediaSegment } from './mediaPlaylist.ts';

/** A caption on the clock of the video, in milliseconds since 1970-01-01 UTC. */
export interface DatedCue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  readonly speaker?: string;
  readonly channel?: number;
  /** True for a notice, which gives way to captions. */
  readonly isNotice?: boolean;
  /** Start of its speech in seconds of the audio; absent for a notice, and after a restart. */
  readonly speechTs?: number | undefined;
  /** Presentation time of its start in seconds, set once it was written in a segment. */
  readonly ts?: number;
}

/** Maximum number of captions that wait for their segment, as when the video cannot be read. */
const MAX_WAITING = 1000;

/** Adds a caption in order of time. Beyond a thousand, the oldest ones are given up. */
export function withCue(waiting: readonly DatedCue[], cue: DatedCue): readonly DatedCue[] {
  const after = waiting.findIndex(({ startMs }) => startMs > cue.startMs);
  const at = after === -1 ? waiting.length : after;
  return [...waiting.slice(0, at), cue, ...waiting.slice(at)].slice(-MAX_WAITING);
}

/** Maximum number of milliseconds by which a caption may be late: an older one would confuse more than it helps. */
const MAX_LATE_MS = 15_000;
/** A caption that would be visible for less than this, in milliseconds, is shown late instead. */
const LEAST_VISIBLE_MS = 500;
/** Maximum number of milliseconds on screen of a late caption, so that it does not delay the next ones. */
const LATE_MS = 3000;
/** Minimum number of milliseconds on screen of a caption after a late one. */
const BEHIND_MS = 1000;

export interface SegmentCues {
  /** Captions of the segment: all that are on screen in it. */
  readonly cues: readonly DatedCue[];
  /** Captions that wait for a later segment. */
  readonly waiting: readonly DatedCue[];
  /** End of the last caption in this segment or before, by channel. */
  readonly busyUntilMs: PerChannel<number>;
  /** Captions that were too late. */
  readonly skipped: number;
}

/**
 * Chooses the captions of a segment, which is the first one that is not written.
 *
 * A caption that was late for its own segments is shown at the start of this segment, and moves later captions.
 *
 * @param busyUntilMs end of the last caption in the segments before, by channel
 */
export function cuesOfSegment(
  waiting: readonly DatedCue[],
  { startMs, durationSeconds }: Pick<MediaSegment, 'startMs' | 'durationSeconds'>,
  busyUntilMs: PerChannel<number> = [],
): SegmentCues {
  const endMs = startMs + durationSeconds * 1000;
  const inTime: DatedCue[] = [];
  let skipped = 0;
  let earliestMs = busyUntilMs;
  let shownUntilMs = busyUntilMs;
  // Captions of the previous segment come first, even before an earlier caption that arrived late.
  const ordered = [
    ...waiting.filter(({ ts }) => ts !== undefined),
    ...waiting.filter(({ ts }) => ts === undefined),
  ];
  for (const [index, cue] of ordered.entries()) {
    const next = ordered[index + 1];
    // After a gap in the video, its time on screen may be over.
    if (cue.ts !== undefined && cue.endMs <= startMs) continue;
    const whole = cue.isNotice && next ? cutAt(cue, next.startMs) : cue;
    const channel = channelOf(cue);
    const shown = shownFrom(whole, startMs, earliestMs[channel] ?? 0);
    if (shown) {
      inTime.push(shown);
      const endsMs = Math.max(earliestMs[channel] ?? 0, shown.endMs);
      earliestMs = withChannel(earliestMs, channel, endsMs);
      if (shown.startMs < endMs) shownUntilMs = withChannel(shownUntilMs, channel, endsMs);
    } else if (!cue.isNotice) skipped++;
  }
  const cues = inTime.filter(cue => cue.startMs < endMs);
  return {
    cues,
    waiting: inTime.filter(cue => cue.endMs > endMs),
    busyUntilMs: shownUntilMs,
    skipped,
  };
}

const cutAt = (cue: DatedCue, endMs: number): DatedCue => ({ ...cue, endMs: Math.min(cue.endMs, endMs) });

/** Returns a caption with its span on screen; undefined when it is too late. */
function shownFrom(cue: DatedCue, startMs: number, earliestMs: number): DatedCue | undefined {
  // A caption in a written segment does not change.
  if (cue.ts !== undefined) return cue;
  const lengthMs = cue.endMs - cue.startMs;
  if (lengthMs <= 0 || startMs - cue.startMs > MAX_LATE_MS) return undefined;
  const isMissed = cue.startMs < startMs && cue.endMs - startMs < Math.min(lengthMs, LEAST_VISIBLE_MS);
  if (isMissed && cue.isNotice) return undefined;
  const moved = isMissed ? { ...cue, startMs, endMs: startMs + Math.min(lengthMs, LATE_MS) } : cue;
  if (earliestMs <= moved.startMs) return moved;
  const endMs = Math.max(moved.endMs, earliestMs + Math.min(lengthMs, BEHIND_MS));
  return { ...moved, startMs: earliestMs, endMs };
}

/** An arbitrary point of the presentation. Not 0, which some players take for an absent mapping. */
const TIMESTAMP_MAP = 'X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.000';

/**
 * Writes a segment of WebVTT (RFC 8216, section 3.5). Times are presentation times of the video, so that a caption in two
 * segments has the same times in both. What is over before the presentation begins is left out.
 */
export function segmentText(cues: readonly DatedCue[]): string {
  const dated = cues.map(({ ts = 0, startMs, endMs, lines, speaker }): Cue => {
    const endTs = ts + (endMs - startMs) / 1000;
    return { ts, endTs, lines, speaker };
  });
  return writeVtt(dated.filter(isShowable)).replace('WEBVTT\n', `WEBVTT\n${TIMESTAMP_MAP}\n`);
}
