import type { RecognizedWord } from '../../recognizer.ts';
import { confidenceOf, dividedSpan, inOrder } from '../../timedWords.ts';
import { SAMPLE_RATE } from '../tasks.ts';
import { continuesCharacter } from './byteTokens.ts';

/** The tokens of an utterance. */
export interface TokenRun {
  readonly tokens: readonly string[];
  /** Start of each token in seconds since `startFrame`; empty when the model gives no times. */
  readonly timestamps: readonly number[];
  /** Duration of each token in seconds; empty when the model gives none. */
  readonly durations?: readonly number[];
  /** Natural logarithms of the probabilities; empty when the model gives none. */
  readonly logProbabilities?: readonly number[];
  /** True when every token ends its word unless it ends in `@@`, as with Paraformer. */
  readonly joinsByMark?: boolean;
  /** Frame of the stream at which the tokens begin. */
  readonly startFrame: number;
  /** Frame of the stream at which the audio ends: no word lasts longer. */
  readonly endFrame: number;
}

/** Frames of a token without a duration, unless the next one begins before. */
const TOKEN_FRAMES = 0.3 * SAMPLE_RATE;
/** Frames of the shortest word. */
const MIN_WORD_FRAMES = 0.01 * SAMPLE_RATE;
const CHARACTER = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const CHARACTER_WORD = new RegExp(`^${CHARACTER}$`, 'u');
const CHARACTER_EDGE = new RegExp(`(?=${CHARACTER})|(?<=${CHARACTER})`, 'u');
/** Tokens without text, such as language and end of text. `<0x41>` is a byte. */
const CONTROL_TOKEN = /^<(?!0x[0-9A-F]{2}>).*>$/;

interface Piece {
  readonly text: string;
  readonly index: number;
}

/**
 * Joins tokens to words with times and, where the model gives probabilities, confidences.
 *
 * A word begins at a space or `▁`, or as `joinsByMark` says. The confidence is the geometric mean of the
 * tokens' probabilities. Without times, words are spread over the audio by length.
 */
export function wordsOfTokens(run: TokenRun): readonly RecognizedWord[] {
  const words = groupTokens(run.tokens, run.joinsByMark);
  const isTimed = run.timestamps.length === run.tokens.length;
  const spans = isTimed ? timedSpans(words, run) : spreadSpans(words, run);
  const { logProbabilities = [] } = run;
  const isRated = logProbabilities.length === run.tokens.length;
  return spans.map((span, at) => {
    const pieces = words[at] ?? [];
    const rated = pieces.map(({ index }) => logProbabilities[index] ?? 0);
    return { value: textOf(pieces), ...span, confidence: isRated ? confidenceOf(rated) : undefined };
  });
}

/**
 * Returns a word in the form of recogniser results: lower case, without marks around it. Empty when nothing
 * remains.
 */
export function plainWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^(?!%)\p{P}+|(?!%)\p{P}+$/gu, '');
}

/** Returns whether a text is a character of a script without spaces, and so a word by itself. */
export function isCharacterWord(text: string): boolean {
  return CHARACTER_WORD.test(text);
}

function groupTokens(tokens: readonly string[], joinsByMark = false): readonly (readonly Piece[])[] {
  const words: Piece[][] = [];
  let goesOn = false;
  const pieces = piecesOf(tokens);
  for (const { text, index } of pieces) {
    const bare = text.replace(/@@$/, '').replace(/[▁ ]/g, '');
    const isCharacter = isCharacterWord(bare);
    const begins = /^[▁ ]/.test(text) || isCharacter || (joinsByMark && !goesOn);
    const last = words.at(-1);
    if (!last || begins || isCharacterWord(last.at(-1)!.text)) words.push([{ text: bare, index }]);
    else last.push({ text: bare, index });
    goesOn = text.endsWith('@@');
  }
  return words.filter(word => textOf(word) !== '');
}

/** Joins the bytes of characters, splits words of single characters, and drops tokens without text. */
function piecesOf(tokens: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let bytes: number[] = [];
  let bytesAt = 0;
  const push = (text: string, index: number) =>
    pieces.push(...text.split(CHARACTER_EDGE).map(part => ({ text: part, index })));
  const flush = () => {
    // Incomplete characters, as at a cut, are dropped.
    if (bytes.length > 0) push(Buffer.from(bytes).toString('utf8').replaceAll('\uFFFD', ''), bytesAt);
    bytes = [];
  };
  tokens.forEach((token, index) => {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(token);
    if (byte) {
      const value = Number.parseInt(byte[1]!, 16);
      if (!continuesCharacter(value)) flush();
      if (bytes.length === 0) bytesAt = index;
      bytes.push(value);
      return;
    }
    flush();
    if (!CONTROL_TOKEN.test(token.trim())) push(token, index);
  });
  flush();
  return pieces;
}

function timedSpans(words: readonly (readonly Piece[])[], run: TokenRun) {
  const frameOf = (index: number) => run.startFrame + Math.round(run.timestamps[index]! * SAMPLE_RATE);
  const spans = words.map((pieces, index) => {
    const last = pieces.at(-1)!.index;
    const duration = run.durations?.[last];
    const taken = duration ? Math.round(duration * SAMPLE_RATE) : TOKEN_FRAMES;
    const next = words[index + 1]?.[0]?.index;
    const end = Math.min(frameOf(last) + taken, next === undefined ? Infinity : frameOf(next));
    return { startFrame: frameOf(pieces[0]!.index), endFrame: end };
  });
  return inOrder(spans, run, MIN_WORD_FRAMES);
}

function spreadSpans(words: readonly (readonly Piece[])[], run: TokenRun) {
  return dividedSpan(
    run,
    words.map(word => textOf(word).length + 1),
  );
}

function textOf(pieces: readonly Piece[]): string {
  return plainWord(pieces.map(({ text }) => text).join(''));
}
