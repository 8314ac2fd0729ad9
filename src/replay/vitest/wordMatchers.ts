import { counted } from '../../base/text.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { AlignmentRule } from '../align/alignment.ts';
import type { Reference } from '../reference/reference.ts';
import { differenceLines } from '../report/differenceLines.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { ruleSetFor, ruleSetNamed } from '../rules/ruleSets.ts';
import { errorRate, tokenErrors } from '../score/errorCounts.ts';
import { scoreTranscript, type TranscriptScore } from '../score/scoreTranscript.ts';
import { type ReferenceFile, type ReferenceValue, transcriptOf, withReference } from './matcherInput.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** Allowed difference between a transcript and its reference. */
export interface MatchOptions extends ScoringOptions {
  /** Maximum word error rate. Default 0: the same words. */
  readonly maxWer?: number;
}

/** Checks that the words are those of a reference, up to a word error rate. */
export function toMatchTranscript(
  received: unknown,
  reference: ReferenceValue | ReferenceFile,
  options: MatchOptions = {},
): Verdict | Promise<Verdict> {
  checkedMatch(options, 'toMatchTranscript');
  const transcript = transcriptOf(received, 'toMatchTranscript');
  return withReference(reference, 'toMatchTranscript', said => matchVerdict(transcript, said, options));
}

/** @throws InvalidArgumentError for a limit that is not a number */
export function checkedMatch({ maxWer = 0 }: MatchOptions, matcher: string): void {
  checkedLimit(maxWer, matcher);
}

export function matchVerdict(
  transcript: Parameters<typeof scoreHeard>[0],
  reference: Reference,
  { maxWer = 0, ...scoring }: MatchOptions,
): Verdict {
  const { wer, wordCounts, alignment } = scoreHeard(transcript, reference, scoring);
  const atMost = maxWer > 0 ? ` with a word error rate of at most ${shown(maxWer)}` : '';
  return verdict({
    pass: wer <= maxWer,
    subject: 'the words',
    claim: `be those of the reference${atMost}`,
    found: `the word error rate is ${wordCounts}`,
    details: () => differenceLines(alignment).join('\n'),
  });
}

/** Checks that the word error rate is below a limit. */
export const toHaveWerBelow = errorRateMatcher('toHaveWerBelow', 'the word error rate', score => ({
  rate: score.wer,
  counts: score.wordCounts,
}));

/** Checks that the character error rate is below a limit. */
export const toHaveCerBelow = errorRateMatcher('toHaveCerBelow', 'the character error rate', score => ({
  rate: score.cer,
  counts: score.characterCounts,
}));

function errorRateMatcher(
  name: string,
  subject: string,
  rateOf: (score: HeardScore) => { readonly rate: number; readonly counts: string },
) {
  return (
    received: unknown,
    limit: number,
    reference: ReferenceValue | ReferenceFile,
    options?: ScoringOptions,
  ): Verdict | Promise<Verdict> => {
    checkedLimit(limit, name);
    const transcript = transcriptOf(received, name);
    return withReference(reference, name, said => {
      const score = scoreHeard(transcript, said, options);
      const { rate, counts } = rateOf(score);
      return verdict({
        pass: rate < limit,
        subject,
        claim: `be below ${shown(limit)}`,
        found: `it is ${counts}`,
        details: () => differenceLines(score.alignment).join('\n'),
      });
    });
  };
}

/** Options for comparing words. */
export interface ScoringOptions {
  /** Language code that selects the rules. Default `en`. */
  readonly language?: string;
  /** Rule set or its name. Default: by the language. */
  readonly rules?: string | RuleSet;
  /** Default `levenshtein`. */
  readonly alignment?: AlignmentRule;
}

/** The differences between a transcript and its reference. */
export interface HeardScore extends Pick<TranscriptScore, 'alignment'> {
  /** Word error rate. */
  readonly wer: number;
  /** Character error rate. */
  readonly cer: number;
  /** Counts and rules, for people. */
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
