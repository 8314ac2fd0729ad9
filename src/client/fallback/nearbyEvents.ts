import type { HoleEvent, LiveEvent } from '../../transcript/events.ts';

/** What stands beside the holes of a live transcript. */
export interface NearbyEvents {
  observe(event: LiveEvent): void;
  /** Everything within reach of a span, in the order in which it came. */
  around(span: Pick<HoleEvent, 'ts' | 'endTs'>): readonly LiveEvent[];
  /** The hole needs nothing any more. */
  letGo(hole: HoleEvent): void;
  /** Numbers of all speakers so far. */
  readonly speakers: ReadonlySet<number>;
}

type PlacedEvent = Exclude<LiveEvent, { type: 'connected' | 'partial' }>;

/** Keeps what is within reach of open holes and, for holes to come, of the end; no more, however long the stream is. */
export function createNearbyEvents(reachSeconds: number): NearbyEvents {
  const speakers = new Set<number>();
  const open = new Map<string, HoleEvent>();
  let kept: PlacedEvent[] = [];
  let settledTs = 0;

  function forget(): void {
    let fromTs = settledTs - reachSeconds;
    for (const hole of open.values()) fromTs = Math.min(fromTs, hole.ts - reachSeconds);
    if (kept.some(event => event.endTs < fromTs)) kept = kept.filter(event => event.endTs >= fromTs);
  }

  return {
    speakers,
    observe(event) {
      if (event.type === 'connected' || event.type === 'partial') return;
      if (event.type === 'final' && event.speaker !== undefined) speakers.add(event.speaker);
      if (event.type === 'repair') for (const { speaker } of event.monologues) speakers.add(speaker);
      kept.push(event);
      if (event.type === 'hole' && event.cause !== 'gap') open.set(keyOf(event), event);
      if (isInOrder(event)) settledTs = Math.max(settledTs, event.endTs);
      forget();
    },
    around: ({ ts, endTs }) =>
      kept.filter(event => event.endTs > ts - reachSeconds && event.ts < endTs + reachSeconds),
    letGo(hole) {
      open.delete(keyOf(hole));
      forget();
    },
  };
}

/** What the source did not give and what was dropped is known before what was said ahead of it. */
function isInOrder(event: PlacedEvent): boolean {
  return event.type !== 'hole' || (event.cause !== 'gap' && event.cause !== 'dropped');
}

function keyOf({ ts, endTs }: HoleEvent): string {
  return `${ts} ${endTs}`;
}
