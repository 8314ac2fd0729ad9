import type { FinalEvent, RepairEvent } from '../model/events.ts';
import { spanOf, type Transcript } from '../model/model.ts';
import { channelOf, type PerChannel, withChannel } from '../model/perChannel.ts';
import type { SettledEvent } from './coverEvent.ts';
import { coverageOf, type GrowingCoverage, growCoverage, growingFrom } from './growingCoverage.ts';
import { placeAll } from './placeAll.ts';
import { append, monologuesOf, type Placing, reachOf, type Turn } from './turns.ts';

interface Growth {
  readonly turn?: Turn;
  readonly coverage: GrowingCoverage;
  /** The latest end of any final, in seconds: also of finals without words. */
  readonly endTs: PerChannel<number>;
}

const growths = new WeakMap<Transcript, Growth>();

/**
 * Adds what is settled: in time O(1) when it comes in order, whatever the length of the transcript.
 *
 * `monologues` and `coverage` of the result are put together when they are first read; versions that nobody reads cost
 * nothing, and turns that have ended are the same objects from version to version.
 *
 * Finals stand in order of their starts, equal ones in order of arrival. What is there never changes: the words of a
 * newcomer that reaches into its neighbours of the same channel are clamped to the time between them, none is left out.
 * What a repair heard stands at its time, also within a final. What is there already (equal in every field) changes
 * nothing: the same object is returned.
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

/** The latest end of any final of a channel in seconds; 0 when there is none. */
export function endOf(transcript: Transcript, channel = 0): number {
  return growthOf(transcript).endTs[channel] ?? 0;
}

function withText(turn: Turn | undefined, event: SettledEvent): Turn | undefined {
  switch (event.type) {
    case 'final': {
      const { ts, elements } = event;
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

/** A transcript from elsewhere is taken as one final a monologue; where its coverage is missing, by those finals. */
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
