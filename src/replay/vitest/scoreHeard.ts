import { counted } from '../../base/text.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Reference } from '../reference/reference.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { ruleSetFor, ruleSetNamed } from '../rules/ruleSets.ts';
import type { AlignmentRule } from '../score/alignment.ts';
import { errorRate, tokenErrors } from '../score/errorCounts.ts';
import { scoreTranscript, type TranscriptScore } from '../score/scoreTranscript.ts';
import { shown } from './verdict.ts';

/** How words are compared. */
export interface ScoringOptions {
  /** Language code, by which the rules are chosen. Default `en`. */
  readonly language?: string;
  /** A rule set or the name of one. Default: by the language. */
  readonly rules?: string | RuleSet;
  /** Default `levenshtein`. */
  readonly alignment?: AlignmentRule;
}

/** How far a transcript is from its reference. */
export interface HeardScore extends Pick<TranscriptScore, 'alignment'> {
  /** Word error rate. */
  readonly wer: number;
  /** Character error rate. */
  readonly cer: number;
  /** For people: the counts, and by which rules. */
  readonly wordCounts: string;
  readonly characterCounts: string;
}

export function scoreHeard(
  transcript: Transcript,
  reference: Reference,
  { language = 'en', rules = ruleSetFor(language), alignment = 'levenshtein' }: ScoringOptions = {},
): HeardScore {
  const ruleSet = typeof rules === 'string' ? ruleSetNamed(rules) : rules;
  const score = scoreTranscript({ reference, transcript, rules: ruleSet, alignment });
  const { tokens, substitutions, deletions, insertions } = score.words;
  const { characters } = score;
  const byRules = `by ${ruleSet.name}`;
  const wer = errorRate(tokenErrors(score.words));
  return {
    wer,
    cer: errorRate(characters),
    alignment: score.alignment,
    wordCounts:
      `${shown(wer)}: ${counted(substitutions, 'substitution')}, ${counted(deletions, 'deletion')} and ` +
      `${counted(insertions, 'insertion')} in ${counted(tokens, 'word')} ${byRules}`,
    characterCounts:
      `${shown(errorRate(characters))}: ${counted(characters.errors, 'error')} in ` +
      `${counted(characters.tokens, 'character')} ${byRules}`,
  };
}
