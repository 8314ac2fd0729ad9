import type { FinalEvent, RepairEvent } from '../model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../model/events.ts';
import { spanOf, type Transcript } from '../model/model.ts';
import type { SettledEvent } from './coverEvent.ts';
import { coverageOf, type GrowingCoverage, growCoverage, growingFrom } from './growingCoverage.ts';
import { placeAll } from './placeAll.ts';
import { append, monologuesOf, type Placing, reachOf, type Turn } from './turns.ts';

interface Growth {
  readonly turn?: Turn;
  readonly coverage: GrowingCoverage;
  /** Latest end of any final in seconds, including finals without words. */
  readonly endTs: PerChannel<number>;
}

const growths = new WeakMap<Transcript, Growth>();

/**
 * Adds a settled event, in time O(1) when it comes in order, regardless of the length of the transcript.
 *
 * `monologues` and `coverage` of the result are computed on first access, so unread versions cost nothing. Ended turns are the
 * same objects in all later versions.
 *
 * Finals are ordered by start, equal ones by arrival. Existing words never change: when a new final overlaps its neighbours of
 * the same channel, its times are clamped to the time between them, and no word is dropped. Words of a repair are placed by
 * their time, also within a final. A duplicate (equal in every field) returns the same object.
 */
export function addSettled(transcript: Transcript, event: SettledEvent): Transcript {
  const growth = growthOf(transcript);
  const grown: Growth = {
    turn: withText(growth.turn, event),
    coverage: growCoverage(growth.coverage, event),
    endTs: event.type === 'final' ? latest(growth.endTs, event) : growth.endTs,
  };
  const isSame =
    grown.turn === growth.turn && grown.coverage === growth.coverage && grown.endTs === growth.endTs;
  return isSame ? transcript : transcriptOf(grown);
}

/** Returns the latest end of any final of a channel in seconds; 0 without finals. */
export function endOf(transcript: Transcript, channel = 0): number {
  return growthOf(transcript).endTs[channel] ?? 0;
}

function withText(turn: Turn | undefined, event: SettledEvent): Turn | undefined {
  switch (event.type) {
    case 'final': {
      const { ts, endTs } = event;
      const [first, ...rest] = event.elements;
      const isUnknown = first?.type === 'unknown' && rest.length === 0;
      const elements = isUnknown ? [{ ...first, ts, endTs }] : event.elements;
      return elements.length === 0 ? turn : placeAll(turn, [{ final: event, ts, elements }]);
    }
    case 'repair':
      return withRepair(turn, event);
    default:
      return turn;
  }
}

function withRepair(turn: Turn | undefined, repair: RepairEvent): Turn | undefined {
  const { channel } = repair;
  const placings = repair.monologues.flatMap<Placing>(({ speaker, speakerInfo, elements }) => {
    if (elements.length === 0) return [];
    const { ts, endTs } = spanOf(elements) ?? repair;
    const final: FinalEvent = { type: 'final', ts, endTs, elements, speaker, channel };
    return [{ final, ts, elements, speakerInfo, isRepair: true }];
  });
  return placeAll(turn, placings);
}

function latest(endTs: PerChannel<number>, final: FinalEvent): PerChannel<number> {
  const channel = channelOf(final);
  return withChannel(endTs, channel, Math.max(endTs[channel] ?? 0, final.endTs));
}

function transcriptOf(growth: Growth): Transcript {
  let monologues: Transcript['monologues'] | undefined;
  let coverage: Transcript['coverage'];
  const transcript: Transcript = {
    get monologues() {
      monologues ??= monologuesOf(growth.turn);
      return monologues;
    },
    get coverage() {
      coverage ??= coverageOf(growth.coverage);
      return coverage;
    },
  };
  growths.set(transcript, growth);
  return transcript;
}

/** Converts a plain transcript: each monologue becomes one final, which also gives the coverage when there is none. */
function growthOf(transcript: Transcript): Growth {
  const known = growths.get(transcript);
  if (known) return known;
  let turn: Turn | undefined;
  let coverage = growingFrom(transcript.coverage ?? []);
  for (const { elements, speaker, speakerInfo } of transcript.monologues) {
    const reach = reachOf(turn, 0);
    const { ts, endTs } = spanOf(elements) ?? { ts: reach, endTs: reach };
    const final: FinalEvent = { type: 'final', ts, endTs, elements, speaker };
    turn = append(turn, { final, ts, elements, speakerInfo });
    if (!transcript.coverage) coverage = growCoverage(coverage, final);
  }
  const growth: Growth = { turn, coverage, endTs: [reachOf(turn, 0)] };
  growths.set(transcript, growth);
  return growth;
}
