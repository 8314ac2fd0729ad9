import type { AlignmentStep, ErrorCounts } from '../align/alignment.ts';
import { alignTexts, type ScoredWord, type ScoreInput, wordsIn } from './alignTexts.ts';
import { characterErrors } from './characterErrors.ts';
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
