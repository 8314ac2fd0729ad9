import type { StreamStatus } from '../../client/stream/status.ts';
import { emptyLiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { withText } from '../../transcript/model/eventText.ts';
import type { SessionRun, Timed } from '../session/sessionRun.ts';
import type { Cassette, CassetteLine } from './cassette.ts';
import { messageEvent, messageText, statusOf } from './cassetteLines.ts';

/** Highest speed of a live source, in seconds of audio per second. */
const LIVE_SPEED = 1.5;

/**
 * Returns the run that a cassette recorded, with its original times, to be measured like any other run. Events count as
 * the client emitted them.
 *
 * @example
 * const run = recordedRun(await readCassette('talk.cassette.jsonl'));
 * delayQuantiles(delaysOf(run).final)?.p95;
 */
export function recordedRun(cassette: Pick<Cassette, 'lines' | 'end'>): SessionRun {
  const { lines, end } = cassette;
  const events = lines.flatMap(eventOf);
  const statuses = lines.flatMap(line =>
    line.type === 'status' ? [timed<StreamStatus>(line.ms, statusOf(line.status))] : [],
  );
  const audio = lines
    .filter(line => line.type === 'block')
    .map(({ ms, frame }) => timed(ms, { endFrame: frame }));
  const audioLine = lines.find(line => line.type === 'audio');
  const sampleRate = audioLine?.format.sample_rate ?? 0;
  const seconds = sampleRate > 0 ? (audio.at(-1)?.value.endFrame ?? 0) / sampleRate : 0;
  const failed = statuses.findLast(({ value }) => value.type === 'failed')?.value;
  const endMs = end?.ms ?? lines.at(-1)?.ms ?? 0;
  return {
    events,
    statuses,
    audio,
    sampleRate,
    seconds,
    transcript: events.reduce((live, { value }) => mergeEvent(live, value), emptyLiveTranscript).transcript,
    startTs: startTsOf(lines, sampleRate),
    speed: audioLine?.speed ?? speedOf(audio, sampleRate),
    durationMs: endMs - (audio[0]?.atMs ?? 0),
    failure: failed?.type === 'failed' ? failed.error : undefined,
  };
}

function timed<T>(atMs: number, value: T): Timed<T> {
  return { atMs, value };
}

function eventOf(line: CassetteLine): readonly Timed<LiveEvent>[] {
  if (line.type === 'event') return [timed(line.ms, withText(line.event))];
  if (line.type !== 'message' || line.heard === false) return [];
  const event = messageEvent(messageText(line));
  // The client ignores what it cannot decode as well.
  return event ? [timed(line.ms, withText(event))] : [];
}

/** Returns the start time of the first connection; later ones request the time at which they resume. */
function startTsOf(lines: readonly CassetteLine[], sampleRate: number): number {
  const first = lines.find(line => line.type === 'connect');
  const asked = Number(first?.query.start_ts ?? 0);
  if (!first || !Number.isFinite(asked)) return 0;
  return sampleRate > 0 ? asked - first.frame / sampleRate : asked;
}

/** Estimates the speed from the times of the blocks: a live source delivers a block when it is complete. */
function speedOf(audio: SessionRun['audio'], sampleRate: number): SessionRun['speed'] {
  const [first, last] = [audio[0], audio.at(-1)];
  if (!first || !last || first === last) return 1;
  const seconds = (last.value.endFrame - first.value.endFrame) / sampleRate;
  return seconds * 1000 > (last.atMs - first.atMs) * LIVE_SPEED ? 'max' : 1;
}
