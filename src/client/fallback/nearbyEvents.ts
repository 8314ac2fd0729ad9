import type { HoleEvent, LiveEvent } from '../../transcript/model/events.ts';

/** The events beside the holes of a live transcript. */
export interface NearbyEvents {
  observe(event: LiveEvent): void;
  /** Returns the events within reach of a span of a hole, in the order of their arrival. */
  around(span: Span): readonly LiveEvent[];
  /** Forgets the events beside a hole. */
  letGo(hole: HoleEvent): void;
  /** Numbers of all speakers so far. */
  readonly speakers: ReadonlySet<number>;
  /** Number of kept events. */
  readonly size: number;
}

type Span = Pick<HoleEvent, 'ts' | 'endTs'>;
type PlacedEvent = Exclude<LiveEvent, { type: 'connected' | 'partial' }>;
interface Kept {
  readonly event: PlacedEvent;
  readonly order: number;
}
interface OpenHole {
  readonly span: Span;
  readonly near: Kept[];
}

/** Keeps only the events within reach of each open hole and, for future holes, of the end of the stream. */
export function createNearbyEvents(reachSeconds: number): NearbyEvents {
  const speakers = new Set<number>();
  const open = new Map<string, OpenHole>();
  /** Open holes whose surroundings are not complete yet. */
  const reached = new Set<OpenHole>();
  let latest: readonly Kept[] = [];
  let settledTs = 0;
  let count = 0;

  function isNear({ ts, endTs }: PlacedEvent, span: Span): boolean {
    return endTs > span.ts - reachSeconds && ts < span.endTs + reachSeconds;
  }

  function keep(event: PlacedEvent): void {
    const kept = { event, order: count++ };
    latest = [...latest, kept];
    // Only repairs concern earlier parts of the stream.
    for (const { span, near } of event.type === 'repair' ? open.values() : reached) {
      if (isNear(event, span)) near.push(kept);
    }
    if (event.type !== 'hole' || event.cause === 'gap') return;
    const hole = { span: event, near: latest.filter(one => isNear(one.event, event)) };
    open.set(keyOf(event), hole);
    reached.add(hole);
  }

  function forget(): void {
    latest = latest.filter(({ event }) => event.endTs >= settledTs - reachSeconds);
    for (const hole of reached) {
      if (settledTs >= hole.span.endTs + reachSeconds) reached.delete(hole);
    }
  }

  return {
    speakers,
    get size() {
      return [...open.values()].reduce((size, { near }) => size + near.length, latest.length);
    },
    observe(event) {
      if (event.type === 'connected' || event.type === 'partial') return;
      if (event.type === 'final' && event.speaker !== undefined) speakers.add(event.speaker);
      if (event.type === 'repair') for (const { speaker } of event.monologues) speakers.add(speaker);
      keep(event);
      if (isInOrder(event)) settledTs = Math.max(settledTs, event.endTs);
      forget();
    },
    around(span) {
      const holes = [...open.values()].filter(hole => hole.span.ts < span.endTs && span.ts < hole.span.endTs);
      const all = new Set([...holes.flatMap(({ near }) => near), ...latest]);
      return [...all]
        .filter(({ event }) => isNear(event, span))
        .toSorted((one, other) => one.order - other.order)
        .map(({ event }) => event);
    },
    letGo(hole) {
      const key = keyOf(hole);
      const letGo = open.get(key);
      if (letGo) reached.delete(letGo);
      open.delete(key);
    },
  };
}

/** Returns whether an event comes in order: gaps and dropped audio are known before the words ahead of them. */
function isInOrder(event: PlacedEvent): boolean {
  return event.type !== 'hole' || (event.cause !== 'gap' && event.cause !== 'dropped');
}

function keyOf({ ts, endTs }: HoleEvent): string {
  return `${ts} ${endTs}`;
}
