import { isDeepStrictEqual } from 'node:util';
import type { FinalEvent } from './events.ts';
import {
  emptyTranscript,
  type Monologue,
  spanOf,
  type TextElement,
  type Transcript,
  type TranscriptElement,
} from './model.ts';

/** A final where it stands; its elements are the final's own unless their times had to be clamped. */
interface Placed {
  readonly final: FinalEvent;
  readonly elements: readonly TranscriptElement[];
  /** Where the timed words of this final and all before it end, in seconds. */
  readonly reach: number;
  readonly speakerInfo?: Monologue['speakerInfo'];
  readonly before?: Placed;
}

/** Finals of one speaker in a row, and the turns before. Turns that have ended are shared by all later transcripts. */
interface Turn {
  readonly speaker: number;
  readonly last: Placed;
  readonly before?: Turn;
  /** Put together when first asked for. */
  monologue?: Monologue;
}

interface Growth {
  readonly turn?: Turn;
  /** The latest end of any final, in seconds: also of finals without words. */
  readonly endTs: number;
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };
const growths = new WeakMap<Transcript, Growth>();

/**
 * Adds a final: in time O(1) when it comes in order, whatever the length of the transcript.
 *
 * `monologues` of the result are put together when they are first read; versions that nobody reads cost nothing, and
 * turns that have ended are the same objects from version to version.
 *
 * Finals stand in order of their starts, equal ones in order of arrival. What is there never changes: the words of a
 * newcomer that reaches into its neighbours are clamped to the time between them, none is left out. A final that is
 * there already (equal in every field) changes nothing: the same object is returned.
 */
export function addFinal(transcript: Transcript, final: FinalEvent): Transcript {
  const growth = growthOf(transcript);
  const later: Placed[] = [];
  let turn = growth.turn;
  while (turn && turn.last.final.ts > final.ts) {
    later.push(turn.last);
    turn = withoutLast(turn);
  }
  if (holds(turn, final)) return transcript;
  const endTs = Math.max(growth.endTs, final.endTs);
  if (final.elements.length === 0) {
    return endTs > growth.endTs ? transcriptOf({ ...growth, endTs }) : transcript;
  }
  const floor = reachOf(turn);
  const elements = clampTimes(final.elements, floor, startOf(later));
  turn = append(turn, { final, elements });
  for (const placed of later.reverse()) turn = append(turn, placed);
  return transcriptOf({ turn, endTs });
}

/** The latest end of any final in seconds; 0 when there is none. */
export function endOf(transcript: Transcript): number {
  return growthOf(transcript).endTs;
}

function transcriptOf(growth: Growth): Transcript {
  let monologues: readonly Monologue[] | undefined;
  const transcript: Transcript = {
    get monologues() {
      monologues ??= monologuesOf(growth.turn);
      return monologues;
    },
  };
  growths.set(transcript, growth);
  return transcript;
}

/** A transcript from elsewhere is taken as one final a monologue. */
function growthOf(transcript: Transcript): Growth {
  const known = growths.get(transcript);
  if (known) return known;
  let turn: Turn | undefined;
  for (const { elements, speaker, speakerInfo } of transcript.monologues) {
    const { ts, endTs } = spanOf(elements) ?? { ts: reachOf(turn), endTs: reachOf(turn) };
    const final: FinalEvent = { type: 'final', ts, endTs, elements, speaker };
    turn = append(turn, { final, elements, speakerInfo });
  }
  const growth = { turn, endTs: reachOf(turn) };
  growths.set(transcript, growth);
  return growth;
}

const reachOf = (turn: Turn | undefined) => turn?.last.reach ?? 0;

/** Where the first timed word of finals, latest first, starts. */
function startOf(finals: readonly Placed[]): number {
  const first = finals.findLast(({ elements }) => spanOf(elements));
  return first ? spanOf(first.elements)!.ts : Number.POSITIVE_INFINITY;
}

function withoutLast(turn: Turn): Turn | undefined {
  const last = turn.last.before;
  return last ? { speaker: turn.speaker, last, before: turn.before } : turn.before;
}

/** Whether an equal final stands among the last ones, those that start at the same time. */
function holds(turn: Turn | undefined, final: FinalEvent): boolean {
  for (let at = turn; at; at = at.before) {
    for (let placed: Placed | undefined = at.last; placed; placed = placed.before) {
      if (placed.final.ts < final.ts) return false;
      if (isDeepStrictEqual(placed.final, final)) return true;
    }
  }
  return false;
}

function append(turn: Turn | undefined, added: Omit<Placed, 'reach' | 'before'>): Turn {
  const { final, elements, speakerInfo } = added;
  const { speaker = 0 } = final;
  const reach = Math.max(reachOf(turn), spanOf(elements)?.endTs ?? 0);
  const placed = { final, elements, reach, speakerInfo };
  if (turn?.speaker !== speaker) return { speaker, last: placed, before: turn };
  return { speaker, last: { ...placed, before: turn.last }, before: turn.before };
}

/** Times into the span from floor to ceiling, starts in order; the same array when they are so already. */
function clampTimes(
  elements: readonly TranscriptElement[],
  floor: number,
  ceiling: number,
): readonly TranscriptElement[] {
  let from = floor;
  let changed = false;
  const clamped = elements.map(element => {
    if (element.type !== 'text' || element.ts === undefined) return element;
    const ts = Math.min(Math.max(element.ts, from), ceiling);
    from = ts;
    const endTs = element.endTs === undefined ? undefined : Math.min(Math.max(element.endTs, ts), ceiling);
    if (ts === element.ts && endTs === element.endTs) return element;
    changed = true;
    return { ...element, ts, ...(endTs !== undefined && { endTs }) } satisfies TextElement;
  });
  return changed ? clamped : elements;
}

function monologuesOf(last: Turn | undefined): readonly Monologue[] {
  const monologues: Monologue[] = [];
  for (let turn = last; turn; turn = turn.before) {
    turn.monologue ??= monologueOf(turn);
    monologues.push(turn.monologue);
  }
  return monologues.length === 0 ? emptyTranscript.monologues : monologues.reverse();
}

function monologueOf({ speaker, last }: Turn): Monologue {
  const parts: (readonly TranscriptElement[])[] = [];
  let speakerInfo: Monologue['speakerInfo'];
  for (let placed: Placed | undefined = last; placed; placed = placed.before) {
    parts.push(placed.elements);
    speakerInfo ??= placed.speakerInfo;
  }
  const elements: TranscriptElement[] = [];
  for (const part of parts.reverse()) {
    if (needsSpace(elements.at(-1), part[0])) elements.push(SPACE);
    for (const element of part) elements.push(element);
  }
  return { speaker, ...(speakerInfo && { speakerInfo }), elements };
}

function needsSpace(left: TranscriptElement | undefined, right: TranscriptElement | undefined): boolean {
  return left !== undefined && right !== undefined && !isSpace(left) && !isSpace(right);
}

const isSpace = ({ type, value }: TranscriptElement) => type === 'punct' && value.trim() === '';
