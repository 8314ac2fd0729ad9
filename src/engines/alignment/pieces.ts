import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { WordMatch } from './matchWords.ts';
import type { RecognizedPart } from './tokens.ts';

/** A range of indexes, `to` exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A matched word of the text, or speech that differs from the text. */
export type Segment =
  | { readonly type: 'matched'; readonly word: number; readonly heard: Stretch }
  /** Indexes of the words of the text and of the recognised words. */
  | { readonly type: 'differing'; readonly text: readonly number[]; readonly heard: readonly number[] };

/** An utterance with the words of the text that are, or may be, spoken in it. */
export interface Piece {
  /** Frames of the recording. */
  readonly startFrame: number;
  readonly endFrame: number;
  readonly segments: readonly Segment[];
}

/** Audio searched around an utterance: words begin and end softly. */
const MARGIN_FRAMES = 0.4 * VOICE_SAMPLE_RATE;
/** Audio searched where words of the text are missing and may not have been recognised. */
const SEARCH_FRAMES = 3 * VOICE_SAMPLE_RATE;
/** Limit of the speech rate. */
const WORDS_PER_SECOND = 7;
/** Number of missing words that are possible even without a gap, since recognised times are not exact. */
const LEAST_WORDS = 3;

/**
 * Returns the utterances in which words of the text are spoken, with the segments to search for in each.
 *
 * @param heard all recognised words
 * @param utterances ranges of `heard`
 * @param words number of words in the text
 */
export function piecesOf(
  heard: readonly RecognizedPart[],
  utterances: readonly Stretch[],
  matches: readonly WordMatch[],
  words: number,
): readonly Piece[] {
  let next = 0;
  return utterances.flatMap(({ from, to }) => {
    const first = next;
    while (next < matches.length && matches[next]!.from < to) next++;
    if (next === first) return [];
    const known = { from: (matches[first - 1]?.word ?? -1) + 1, to: matches[next]?.word ?? words };
    const inside = matches.slice(first, next);
    const before = inside[0]!.word > known.from ? SEARCH_FRAMES : MARGIN_FRAMES;
    const after = inside.at(-1)!.word < known.to - 1 ? SEARCH_FRAMES : MARGIN_FRAMES;
    const startFrame = Math.max(heard[from - 1]?.endFrame ?? 0, heard[from]!.startFrame - before);
    const endFrame = Math.min(heard[to]?.startFrame ?? Infinity, heard[to - 1]!.endFrame + after);
    const bounds = { startFrame, endFrame, heard: { from, to }, text: known };
    return [{ startFrame, endFrame, segments: segmentsOf(heard, inside, bounds) }];
  });
}

interface Bounds {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly heard: Stretch;
  /** Words of the text that no other utterance matches. */
  readonly text: Stretch;
}

function segmentsOf(
  heard: readonly RecognizedPart[],
  matches: readonly WordMatch[],
  { startFrame, endFrame, heard: said, text }: Bounds,
): readonly Segment[] {
  const segments: Segment[] = [];
  let last = { text: text.from, heard: said.from, endFrame: startFrame };
  for (const [index, { word, from, to }] of matches.entries()) {
    const missing = indexes({ from: last.text, to: word });
    const most = mostWords(last.endFrame, heard[from]!.startFrame);
    // Missing words before the first match may belong to much earlier speech.
    const near = index === 0 ? missing.slice(-most) : missing;
    pushDiffering(segments, near.length > most ? [] : near, indexes({ from: last.heard, to: from }));
    segments.push({ type: 'matched', word, heard: { from, to } });
    last = { text: word + 1, heard: to, endFrame: heard[to - 1]!.endFrame };
  }
  const missing = indexes({ from: last.text, to: text.to }).slice(0, mostWords(last.endFrame, endFrame));
  pushDiffering(segments, missing, indexes({ from: last.heard, to: said.to }));
  return segments;
}

function pushDiffering(segments: Segment[], text: readonly number[], heard: readonly number[]): void {
  if (text.length + heard.length > 0) segments.push({ type: 'differing', text, heard });
}

function mostWords(startFrame: number, endFrame: number): number {
  const seconds = Math.max(0, endFrame - startFrame) / VOICE_SAMPLE_RATE;
  return LEAST_WORDS + Math.ceil(WORDS_PER_SECOND * seconds);
}

function indexes({ from, to }: Stretch): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
