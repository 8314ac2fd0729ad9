import type { FinalEvent } from '../model/events.ts';
import { channelOf, type PerChannel, withChannel } from '../model/events.ts';
import { emptyTranscript, type Monologue, spanOf, type TranscriptElement } from '../model/model.ts';
import { isSpace } from '../text/wordPieces.ts';

/** A final, and its placement in a transcript. */
export interface Placing {
  readonly final: FinalEvent;
  /** Position in the order of time, in seconds. */
  readonly ts: number;
  /** The elements of the final, unless times were clamped, or a repair splits it. */
  readonly elements: readonly TranscriptElement[];
  readonly speakerInfo?: Monologue['speakerInfo'];
  /** True for a repair, which may split a final: the words of the final continue after it. */
  readonly isRepair?: boolean;
}

export interface Placed extends Placing {
  /** End of the timed words of this and all earlier finals, by channel, in seconds. */
  readonly reach: PerChannel<number>;
  readonly before?: Placed;
}

/** Consecutive finals of one speaker and paragraph, and the turns before. Ended turns are shared by all later transcripts. */
export interface Turn {
  readonly speaker: number;
  readonly last: Placed;
  readonly before?: Turn;
  /** Computed on first access. */
  monologue?: Monologue;
}

/** Returns the end of the timed words of a channel, in seconds. */
export function reachOf(turn: Turn | undefined, channel: number): number {
  return turn?.last.reach[channel] ?? 0;
}

export function append(turn: Turn | undefined, placing: Placing): Turn {
  const { final, ts, elements, speakerInfo, isRepair } = placing;
  const { speaker = 0 } = final;
  const channel = channelOf(final);
  const end = Math.max(reachOf(turn, channel), spanOf(elements)?.endTs ?? 0);
  const reach = withChannel(turn?.last.reach ?? [], channel, end);
  const placed = { final, ts, elements, speakerInfo, isRepair, reach };
  if (turn?.speaker !== speaker || final.opensParagraph) return { speaker, last: placed, before: turn };
  return { speaker, last: { ...placed, before: turn.last }, before: turn.before };
}

/** Returns the turns without the last final. */
export function withoutLast(turn: Turn): Turn | undefined {
  const last = turn.last.before;
  return last ? { speaker: turn.speaker, last, before: turn.before } : turn.before;
}

const SPACE: TranscriptElement = { type: 'punct', value: ' ' };

/** Converts turns to monologues, in order. */
export function monologuesOf(last: Turn | undefined): readonly Monologue[] {
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
  return { speaker, speakerInfo, elements };
}

function needsSpace(left: TranscriptElement | undefined, right: TranscriptElement | undefined): boolean {
  return left !== undefined && right !== undefined && !isSpace(left) && !isSpace(right);
}
