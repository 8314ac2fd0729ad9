import type { Transcript } from '../../transcript/model.ts';
import type { Reference } from '../reference/reference.ts';
import type { AlignedWord, SpeakerErrors } from '../report/report.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { AlignmentRule, AlignmentStep, ErrorCounts } from './alignment.ts';
import { alignWords } from './alignWords.ts';
import { characterErrors } from './characterErrors.ts';
import { countErrors, errorRate, type TokenErrors, tokenErrors } from './errorCounts.ts';
import { referenceWords, type ScoredWord, transcriptWords } from './scoredWords.ts';

/** Words of the reference in a segment, the last one aside. */
export const SEGMENT_WORDS = 20;

export interface ScoreInput {
  readonly reference: Reference;
  readonly transcript: Transcript;
  readonly rules: RuleSet;
  /** Default `levenshtein`. */
  readonly alignment?: AlignmentRule;
}

/** How far a transcript is from its reference. */
export interface TranscriptScore {
  readonly words: ErrorCounts;
  readonly characters: TokenErrors;
  readonly alignment: readonly AlignedWord[];
  /** Errors in stretches of {@link SEGMENT_WORDS} words of the reference. */
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
 */
export function scoreTranscript({ reference, transcript, rules, alignment }: ScoreInput): TranscriptScore {
  const said = referenceWords(reference, rules);
  const heard = transcriptWords(transcript, rules);
  const [saidWords, heardWords] = [said.map(({ word }) => word), heard.map(({ word }) => word)];
  const steps = placed(alignWords(saidWords, heardWords, alignment));
  return {
    words: countErrors(steps.map(({ step }) => step)),
    characters: characterErrors(saidWords, heardWords),
    alignment: steps.map(each => alignedWord(each, said, heard)),
    segments: [...countedBy(steps, ({ word }) => Math.floor(word / SEGMENT_WORDS)).values()].map(tokenErrors),
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
  const speaker = said[word]?.speaker;
  const by = speaker === undefined ? {} : { speaker };
  if (step.type === 'deletion') return { type: step.type, reference: said[word]!.shown, ...by };
  const { shown: hypothesis, ts, endTs } = heard[step.hypothesis]!;
  const times = ts === undefined ? {} : { ts, ...(endTs !== undefined && { endTs }) };
  if (step.type === 'insertion') return { type: step.type, hypothesis, ...times, ...by };
  return { type: step.type, reference: said[word]!.shown, hypothesis, ...times, ...by };
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
