import type { Transcript } from '../../transcript/model/model.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { Alignment, AlignmentRule } from './alignment.ts';
import { alignWords } from './alignWords.ts';
import { referenceWords, type ScoredWord, transcriptWords } from './scoredWords.ts';

export interface ScoreInput {
  readonly reference: Reference;
  readonly transcript: Transcript;
  readonly rules: RuleSet;
  /** Default `levenshtein`. */
  readonly alignment?: AlignmentRule;
}

/** The words of a reference and of a transcript side by side. */
export interface AlignedTexts {
  readonly said: readonly ScoredWord[];
  readonly heard: readonly ScoredWord[];
  readonly steps: Alignment;
}

/** Makes the words of both texts comparable, and aligns them: what all scores of them begin with. */
export function alignTexts({ reference, transcript, rules, alignment }: ScoreInput): AlignedTexts {
  const said = referenceWords(reference, rules);
  const heard = transcriptWords(transcript, rules);
  return { said, heard, steps: alignWords(wordsIn(said), wordsIn(heard), alignment) };
}

/** Words as they are compared. */
export function wordsIn(words: readonly ScoredWord[]): readonly string[] {
  return words.map(({ word }) => word);
}
