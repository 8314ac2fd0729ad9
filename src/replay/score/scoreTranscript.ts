import { distance } from 'fastest-levenshtein';
import type { AlignmentStep } from '../align/alignWords.ts';
import { alignWords } from '../align/alignWords.ts';
import type { ErrorCounts } from '../score/errorCounts.ts';
import { alignTexts, type ScoredWord, type ScoreInput, wordsIn } from './alignTexts.ts';
import { countErrors, errorRate, type TokenErrors, tokenErrors } from './errorCounts.ts';

/** One step of the alignment, for display. */
export interface AlignedWord {
  readonly type: 'hit' | 'substitution' | 'deletion' | 'insertion';
  /** As written. Absent for an insertion. */
  readonly reference?: string;
  /** As written. Absent for a deletion. */
  readonly hypothesis?: string;
  /** Times in the hypothesis, in seconds since the start of the audio. Absent when unknown. */
  readonly ts?: number;
  readonly endTs?: number;
  /** Times in the reference, when it has times of words. */
  readonly referenceTs?: number;
  readonly referenceEndTs?: number;
  /** Speaker by the reference. */
  readonly speaker?: string;
}

export interface SpeakerErrors {
  readonly speaker: string;
  readonly wer: number;
  readonly words: ErrorCounts;
}

/** Words of the reference per segment; the last segment may have fewer. */
const SEGMENT_WORDS = 20;

/** The differences between a transcript and its reference. */
export interface TranscriptScore {
  readonly words: ErrorCounts;
  readonly characters: TokenErrors;
  readonly alignment: readonly AlignedWord[];
  /**
   * Errors per {@link SEGMENT_WORDS} words of the reference; one segment without tokens when the reference has no
   * words.
   */
  readonly segments: readonly TokenErrors[];
  /** Errors of each speaker that the reference names, in order of their first words. */
  readonly speakers: readonly SpeakerErrors[];
}

/**
 * A step and the index of the word of the reference that it counts for: for an insertion the word before it, or the
 * first.
 */
interface PlacedStep {
  readonly step: AlignmentStep;
  readonly word: number;
}

/**
 * Scores a transcript against a reference, by words as the rules normalize them and by characters.
 *
 * An insertion counts for the segment and the speaker of the word of the reference before it, or of the first word.
 *
 * @param aligned the aligned texts, if they are known already
 *
 * @example
 * const { words } = scoreTranscript({ reference, transcript, rules: ruleSetFor('en') });
 * console.log(errorRate(tokenErrors(words)));
 */
export function scoreTranscript(input: ScoreInput, aligned = alignTexts(input)): TranscriptScore {
  const { said, heard } = aligned;
  const steps = placed(aligned.steps);
  return {
    words: countErrors(steps.map(({ step }) => step)),
    characters: characterErrors(wordsIn(said), wordsIn(heard)),
    alignment: steps.map(each => alignedWord(each, said, heard)),
    segments: segmentsOf(steps, said.length),
    speakers: speakersOf(steps, said),
  };
}

function placed(steps: readonly AlignmentStep[]): readonly PlacedStep[] {
  let word = 0;
  return steps.map(step => {
    if (step.type !== 'insertion') word = step.reference;
    return { step, word };
  });
}

function alignedWord(
  { step, word }: PlacedStep,
  said: readonly ScoredWord[],
  heard: readonly ScoredWord[],
): AlignedWord {
  const before = step.type === 'insertion' ? undefined : said[step.reference];
  const after = step.type === 'deletion' ? undefined : heard[step.hypothesis];
  return {
    type: step.type,
    reference: before?.shown,
    hypothesis: after?.shown,
    ts: after?.ts,
    endTs: after?.endTs,
    referenceTs: before?.ts,
    referenceEndTs: before?.endTs,
    speaker: said[word]?.speaker,
  };
}

/** Returns the errors per segment; the number of segments depends on the reference alone. */
function segmentsOf(steps: readonly PlacedStep[], words: number): readonly TokenErrors[] {
  const counts = countedBy(steps, ({ word }) => Math.floor(word / SEGMENT_WORDS));
  const length = Math.max(1, Math.ceil(words / SEGMENT_WORDS));
  return Array.from({ length }, (_, segment) => tokenErrors(counts.get(segment) ?? countErrors([])));
}

function speakersOf(steps: readonly PlacedStep[], said: readonly ScoredWord[]): readonly SpeakerErrors[] {
  const counts = countedBy(steps, ({ word }) => said[word]?.speaker);
  return [...counts].flatMap(([speaker, words]) =>
    speaker === undefined ? [] : [{ speaker, wer: errorRate(tokenErrors(words)), words }],
  );
}

function countedBy<K>(steps: readonly PlacedStep[], keyOf: (step: PlacedStep) => K): Map<K, ErrorCounts> {
  const groups = Map.groupBy(steps, keyOf);
  return new Map([...groups].map(([key, group]) => [key, countErrors(group.map(({ step }) => step))]));
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const CODE_UNITS = 0x1_00_00;
/** Arguments per call that fit on any stack. */
const CHUNK = 8192;

/** Scripts that are written without spaces between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
  .map(script => String.raw`\p{scx=${script}}`)
  .join('');
const NEEDLESS_SPACES = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, 'gu');

/**
 * Counts the edits (Levenshtein) between the characters of words joined by single spaces. Spaces count, but are removed
 * next to scripts that are written without spaces.
 *
 * A character is a grapheme. Where letters carry combining marks, jiwer counts more errors, because it counts code
 * points.
 *
 * @example
 * characterErrors(['this', 'is'], ['this']) // { tokens: 7, errors: 3 }
 */
export function characterErrors(reference: readonly string[], hypothesis: readonly string[]): TokenErrors {
  const said = charactersOf(reference);
  const heard = charactersOf(hypothesis);
  const numbers = new Map([...new Set([...said, ...heard])].map((character, number) => [character, number]));
  if (numbers.size > CODE_UNITS) return tokenErrors(countErrors(alignWords(said, heard)));
  const coded = (characters: readonly string[]) => codeUnits(characters.map(each => numbers.get(each)!));
  return { tokens: said.length, errors: distance(coded(said), coded(heard)) };
}

const charactersOf = (words: readonly string[]) =>
  Array.from(graphemes.segment(words.join(' ').replace(NEEDLESS_SPACES, '')), ({ segment }) => segment);

function codeUnits(numbers: readonly number[]): string {
  let text = '';
  for (let start = 0; start < numbers.length; start += CHUNK)
    text += String.fromCharCode(...numbers.slice(start, start + CHUNK));
  return text;
}
