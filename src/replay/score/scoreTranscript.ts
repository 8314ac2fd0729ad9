import type { AlignmentStep, ErrorCounts } from '../align/alignment.ts';
import { alignTexts, type ScoredWord, type ScoreInput, wordsIn } from './alignTexts.ts';
import { characterErrors } from './characterErrors.ts';
import { countErrors, errorRate, type TokenErrors, tokenErrors } from './errorCounts.ts';

/** One step of the alignment, to be shown. */
export interface AlignedWord {
  readonly type: 'hit' | 'substitution' | 'deletion' | 'insertion';
  /** As written; absent of an insertion. */
  readonly reference?: string;
  /** As written; absent of a deletion. */
  readonly hypothesis?: string;
  /** Seconds since the start of the audio, of the hypothesis; absent where it is not known. */
  readonly ts?: number;
  readonly endTs?: number;
  /** The same, of the reference, where it has times of words. */
  readonly referenceTs?: number;
  readonly referenceEndTs?: number;
  /** Who said it, as the reference has it. */
  readonly speaker?: string;
}

export interface SpeakerErrors {
  readonly speaker: string;
  readonly wer: number;
  readonly words: ErrorCounts;
}

/** Words of the reference in a segment, the last one aside. */
const SEGMENT_WORDS = 20;

/** How far a transcript is from its reference. */
export interface TranscriptScore {
  readonly words: ErrorCounts;
  readonly characters: TokenErrors;
  readonly alignment: readonly AlignedWord[];
  /** Errors in stretches of {@link SEGMENT_WORDS} words of the reference; one without tokens where it has no words. */
  readonly segments: readonly TokenErrors[];
  /** Of those whom the reference names, in the order in which they begin. */
  readonly speakers: readonly SpeakerErrors[];
}

/** A step, and the word of the reference that it counts for: of an insertion the one before it, or the first. */
interface PlacedStep {
  readonly step: AlignmentStep;
  readonly word: number;
}

/**
 * Scores a transcript against a reference: its words as the rules make them comparable, and their characters.
 *
 * Insertions count for the segment and the speaker of the word of the reference before them, or of the first one.
 *
 * @param aligned where the texts are aligned already
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
  const { type } = step;
  return {
    type,
    ...(step.type !== 'insertion' && referenceOf(said[step.reference]!)),
    ...(step.type !== 'deletion' && hypothesisOf(heard[step.hypothesis]!)),
    ...(said[word]?.speaker !== undefined && { speaker: said[word].speaker }),
  };
}

function referenceOf({ shown, ts, endTs }: ScoredWord): Partial<AlignedWord> {
  return {
    reference: shown,
    ...(ts !== undefined && { referenceTs: ts }),
    ...(endTs !== undefined && { referenceEndTs: endTs }),
  };
}

function hypothesisOf({ shown, ts, endTs }: ScoredWord): Partial<AlignedWord> {
  return { hypothesis: shown, ...(ts !== undefined && { ts }), ...(endTs !== undefined && { endTs }) };
}

/** As many for the same reference, whatever was heard. */
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
