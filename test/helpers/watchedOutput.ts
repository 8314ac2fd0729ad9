import type { CaptionStep } from '../../src/captions/captionStep.ts';
import type { CaptionOutput } from '../../src/captions/outputs/captionOutput.ts';
import {
  type DisplayState,
  initialDisplayState,
  nextDisplay,
} from '../../src/captions/rows/captionDisplay.ts';
import { rolledUp } from './rolledUp.ts';

const SHAPE = { columns: 42, rows: 3 } as const;
/** Names of words that are said once. */
const NAME = /c\d+u\d+w\d+/g;

/** An output that keeps the words that were shown, and the breaches of what every screen must hold to. */
export interface WatchedOutput extends CaptionOutput {
  readonly breaches: readonly string[];
  /** Words that were shown, or are the wording of shown ones. */
  readonly seen: ReadonlySet<string>;
  /** Words of finished captions, in order. */
  readonly inCues: readonly string[];
  /** Most rows that waited for their wording. */
  readonly mostLeft: number;
  /** Words that must not be shown any more. */
  readonly forbidden: Set<string>;
  /** Forbids all words of the utterances so far; `counts` are their numbers by channel. */
  kill(counts: readonly number[]): void;
}

export function watchedOutput(name: string): WatchedOutput {
  const breaches: string[] = [];
  const [seen, added, forbidden] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const inCues: string[] = [];
  const last = new Map<string, number>();
  let state: DisplayState = initialDisplayState;
  let mostLeft = 0;
  let shown = 0;
  const add = (text: string, isCorrection: boolean) => {
    for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
      if (forbidden.has(word)) breaches.push(`${word} after its ban`);
    }
    for (const [word] of text.matchAll(NAME)) {
      seen.add(word);
      if (isCorrection) continue;
      if (added.has(word)) breaches.push(`${word} twice`);
      added.add(word);
      const [channel, at] = placeOf(word);
      if (at < (last.get(channel) ?? -1)) breaches.push(`${word} out of order`);
      last.set(channel, at);
    }
  };
  let killed: readonly number[] = [];
  const checkKill = (words: readonly string[]) => {
    for (const word of words) {
      const [channel, at] = placeOf(word);
      if (at < (killed[Number(channel)] ?? 0) * 100) breaches.push(`${word} after the captions were killed`);
    }
  };
  const take = (step: CaptionStep) => {
    shown++;
    const before = state.display;
    state = nextDisplay(state, step, SHAPE);
    const { rows } = state.display;
    const isMove = !rolledUp(before.rows, rows, SHAPE.rows);
    if (isMove) breaches.push(`rows changed from ${JSON.stringify(before.rows)} to ${JSON.stringify(rows)}`);
    mostLeft = Math.max(mostLeft, state.rollUp.left.length);
    if (step.type === 'words') {
      for (const { text, corrects } of step.added) {
        checkKill(text.match(NAME) ?? []);
        add(text, corrects !== undefined);
      }
      for (const text of step.wording.values()) for (const [word] of text.matchAll(NAME)) seen.add(word);
    }
    if (step.type === 'cues') {
      const words = step.cues.flatMap(({ lines }) => lines.join(' ').match(NAME) ?? []);
      checkKill(words);
      inCues.push(...words);
    }
  };
  const close = async () => {};
  return {
    name,
    breaches,
    seen,
    inCues,
    get mostLeft() {
      return mostLeft;
    },
    forbidden,
    kill(counts) {
      killed = counts;
    },
    take,
    report: () => ({ shown, skipped: 0, failures: 0 }),
    close,
  };
}

/** Returns the channel of a word, and its place in that channel. */
function placeOf(word: string): readonly [channel: string, at: number] {
  const [, channel, utterance, index] = /c(\d+)u(\d+)w(\d+)/.exec(word)!;
  return [channel!, Number(utterance) * 100 + Number(index)];
}
