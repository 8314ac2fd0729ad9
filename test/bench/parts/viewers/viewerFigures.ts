import { pairWords } from '../../../../src/transcript/text/pairWords.ts';
import { textWidth } from '../../../../src/transcript/text/textWidth.ts';
import { commonPrefixLength, wordKey, wordTokensOf } from '../../../../src/transcript/text/tokens.ts';
import type { TimedStep } from './timedSteps.ts';
import { type ViewedDisplay, type ViewedWord, type Viewer, viewedDisplays } from './viewers.ts';

/** Counts and samples of one output; those of several runs can be added. */
export interface ViewerFigures {
  readonly name: string;
  /** Words in finals. */
  readonly finalWords: number;
  /** Shown words that the final does not have. */
  readonly wrongWords: number;
  /** Words of the tail that were taken back. */
  readonly tailWords: number;
  /** Words that changed, or moved without their row. */
  readonly movedWords: number;
  /** Words of finals that a busy screen never showed. */
  readonly unseenWords: number;
  /** Seconds from the end of each word until it was shown for good; without words whose times are unknown. */
  readonly delays: readonly number[];
  /** Displays with too many rows, or a row that is too wide; captions that break a limit of their profile. */
  readonly violations: number;
  /** Captions that are faster than the reading speed of their profile. */
  readonly fastCaptions: number;
  /** Seconds for which a spoken word waited, beyond {@link STUCK_AFTER_SECONDS}, while the screen did not change. */
  readonly stuckSeconds: number;
}

/** Seconds for which a screen may stand still while words are spoken. */
const STUCK_AFTER_SECONDS = 3;

/** Time in milliseconds at which a time of the audio, in seconds, was spoken; undefined when unknown. */
export type SpokenAt = (seconds: number) => number | undefined;

/** A word of a final, and the time at which it was shown for good; undefined when it never was. */
export interface SeenWord {
  readonly spokenMs?: number;
  readonly seenMs?: number;
}

/** Measures what the viewers of an output with rows saw. */
export function viewerFigures(
  steps: readonly TimedStep[],
  viewer: Viewer,
  spokenAt: SpokenAt,
): ViewerFigures {
  const displays = viewedDisplays(steps, viewer);
  const seenAt = firstSeen(displays);
  const words = seenWords(steps, displays, { seenAt, spokenAt });
  const { columns, rows } = viewer.shape;
  return {
    name: viewer.name,
    finalWords: words.length,
    wrongWords: wrongWords(steps, seenAt),
    ...changes(displays),
    unseenWords: words.filter(({ seenMs }) => seenMs === undefined).length,
    delays: delaysOf(words),
    violations: displays.filter(display => display.rows.length > rows || widest(display) > columns).length,
    fastCaptions: 0,
    stuckSeconds: stuckSeconds(words, displays),
  };
}

export function delaysOf(words: readonly SeenWord[]): readonly number[] {
  return words.flatMap(({ spokenMs, seenMs }) =>
    spokenMs === undefined || seenMs === undefined ? [] : [(seenMs - spokenMs) / 1000],
  );
}

/** Returns the columns of the widest row; the tail continues the last one. */
function widest({ rows, tail }: ViewedDisplay): number {
  const bottom = [...rows.slice(-1), ...tail].join(' ');
  return Math.max(...[...rows, bottom].map(textWidth));
}

/**
 * Returns the time at which each word was first shown, by id. A word that became certain without a change counts from its first
 * showing as uncertain.
 */
function firstSeen(displays: readonly ViewedDisplay[]): ReadonlyMap<number, number> {
  const seenAt = new Map<number, number>();
  let tail: readonly { readonly key: string; readonly atMs: number }[] = [];
  for (const { atMs, words, tail: next } of displays) {
    const added = words.filter(({ id }) => !seenAt.has(id));
    const keys = [...added.map(({ text }) => text), ...next].map(wordKey);
    const before = tail.map(({ key }) => key);
    const known = tail.slice(0, commonPrefixLength(before, keys));
    const seen = keys.map((key, index) => ({ key, atMs: known[index]?.atMs ?? atMs }));
    for (const [index, { id }] of added.entries()) seenAt.set(id, seen[index]?.atMs ?? atMs);
    tail = seen.slice(added.length);
  }
  return seenAt;
}

interface Seen {
  readonly seenAt: ReadonlyMap<number, number>;
  readonly spokenAt: SpokenAt;
}

/** Returns the words of all finals. */
function seenWords(
  steps: readonly TimedStep[],
  displays: readonly ViewedDisplay[],
  { seenAt, spokenAt }: Seen,
): readonly SeenWord[] {
  const texts = shownTexts(steps);
  return steps.flatMap(({ atMs, step, final }) => {
    if (step.type !== 'words' || !final) return [];
    // A word that was corrected or missing is right from the next display on.
    const corrected = displays.find(display => display.atMs >= atMs)?.atMs;
    const placed = [...step.wording].flatMap(([id, wording]) =>
      wording.split(' ').flatMap(text => (text === '' ? [] : [{ id, key: wordKey(text) }])),
    );
    const words = wordTokensOf(final.elements);
    const keys = words.map(({ text }) => wordKey(text));
    // The wording has marks and names of speakers as well.
    const pairs = pairWords(
      placed.map(({ key }) => key),
      keys,
    );
    const places = new Map(pairs.map(({ left, right }) => [right, placed[left]?.id]));
    return words.map(({ endTs }, index) => {
      const id = places.get(index);
      const isRight = id !== undefined && wordKey(texts.get(id) ?? '') === keys[index];
      const spokenMs = endTs === undefined ? undefined : spokenAt(endTs);
      return { spokenMs, seenMs: isRight ? seenAt.get(id) : corrected };
    });
  });
}

const addedWords = (steps: readonly TimedStep[]) =>
  steps.flatMap(({ step }) => (step.type === 'words' ? step.added : []));

/** Returns the texts of shown words, by id. */
const shownTexts = (steps: readonly TimedStep[]): ReadonlyMap<number, string> =>
  new Map(addedWords(steps).map(({ id, text }) => [id, text]));

/** Counts the words on the screen that a final contradicts. */
function wrongWords(steps: readonly TimedStep[], seenAt: ReadonlyMap<number, number>): number {
  const texts = shownTexts(steps);
  const corrections = new Set(
    addedWords(steps).flatMap(({ id, corrects }) => (corrects === undefined ? [] : [id])),
  );
  const isWrong = ([id, wording]: readonly [number, string]) =>
    seenAt.has(id) &&
    !corrections.has(id) &&
    !wording
      .split(' ')
      .map(wordKey)
      .includes(wordKey(texts.get(id) ?? ''));
  return steps.reduce(
    (sum, { step, final }) =>
      step.type === 'words' && final ? sum + [...step.wording].filter(isWrong).length : sum,
    0,
  );
}

/** Counts the words that moved or changed, and those of the tail that were taken back. */
function changes(displays: readonly ViewedDisplay[]): Pick<ViewerFigures, 'movedWords' | 'tailWords'> {
  let movedWords = 0;
  let tailWords = 0;
  for (const [index, after] of displays.entries()) {
    const before = displays[index - 1];
    if (!before) continue;
    movedWords += movedBetween(before.words, after.words);
    const known = new Set(before.words.map(({ id }) => id));
    const added = after.words.filter(({ id }) => !known.has(id)).map(({ text }) => text);
    const kept = commonPrefixLength(before.tail.map(wordKey), [...added, ...after.tail].map(wordKey));
    tailWords += before.tail.length - kept;
  }
  return { movedWords, tailWords };
}

/**
 * Counts the words that changed between two screens, moved other than up with all others, or disappeared from below the top. A
 * screen without any word of the one before was cleared.
 */
export function movedBetween(before: readonly ViewedWord[], after: readonly ViewedWord[]): number {
  const places = new Map(after.map(word => [word.id, word]));
  const last = before.findLast(({ id }) => places.has(id));
  const place = last && places.get(last.id);
  if (!place) return 0;
  const shift = last.row - place.row;
  return before.filter(({ id, text, row, column }) => {
    const now = places.get(id);
    if (!now) return row >= shift;
    return now.text !== text || now.row !== row - shift || now.column !== column;
  }).length;
}

/** Returns the seconds for which the screen stood still too long while a word waited. */
export function stuckSeconds(
  words: readonly SeenWord[],
  displays: readonly { readonly atMs: number }[],
): number {
  let stuckMs = 0;
  let first = 0;
  for (const [index, { atMs }] of displays.entries()) {
    const beforeMs = displays[index - 1]?.atMs ?? 0;
    while (first < words.length && (words[first]?.seenMs ?? 0) <= beforeMs) first++;
    const spokenMs = words[first]?.spokenMs;
    if (spokenMs === undefined) continue;
    stuckMs += Math.max(0, atMs - Math.max(beforeMs, spokenMs) - STUCK_AFTER_SECONDS * 1000);
  }
  return stuckMs / 1000;
}
