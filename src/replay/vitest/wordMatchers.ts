import { counted } from '../../base/text.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Reference } from '../reference/reference.ts';
import { differenceLines } from '../report/differenceLines.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { ruleSetFor, ruleSetNamed } from '../rules/ruleSets.ts';
import { errorRate, tokenErrors } from '../score/errorCounts.ts';
import { scoreTranscript } from '../score/scoreTranscript.ts';
import {
  checkedLimit,
  type ReferenceFile,
  type ReferenceValue,
  shown,
  transcriptOf,
  type Verdict,
  verdict,
  withReference,
} from './matcherInput.ts';

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
  transcript: Transcript,
  reference: Reference,
  { maxWer = 0, ...scoring }: MatchOptions,
): Verdict {
  const { wer, alignment } = rates(transcript, reference, scoring);
  const atMost = maxWer > 0 ? ` with a word error rate of at most ${shown(maxWer)}` : '';
  return verdict({
    pass: wer.rate <= maxWer,
    subject: 'the words',
    claim: `be those of the reference${atMost}`,
    found: `the word error rate is ${wer.counts}`,
    details: () => differenceLines(alignment).join('\n'),
  });
}

/** Checks that the word error rate is below a limit. */
export const toHaveWerBelow = errorRateMatcher('toHaveWerBelow', 'word', 'wer');

/** Checks that the character error rate is below a limit. */
export const toHaveCerBelow = errorRateMatcher('toHaveCerBelow', 'character', 'cer');

function errorRateMatcher(matcher: string, unit: string, name: 'wer' | 'cer') {
  return (
    received: unknown,
    limit: number,
    reference: ReferenceValue | ReferenceFile,
    options: ScoringOptions = {},
  ): Verdict | Promise<Verdict> => {
    checkedLimit(limit, matcher);
    const transcript = transcriptOf(received, matcher);
    return withReference(reference, matcher, said => {
      const { [name]: found, alignment } = rates(transcript, said, options);
      return verdict({
        pass: found.rate < limit,
        subject: `the ${unit} error rate`,
        claim: `be below ${shown(limit)}`,
        found: `it is ${found.counts}`,
        details: () => differenceLines(alignment).join('\n'),
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
}

/** Returns the error rates of a transcript, each with its counts and rules for people, and the alignment. */
function rates(
  transcript: Transcript,
  reference: Reference,
  { language = 'en', rules = ruleSetFor(language) }: ScoringOptions,
) {
  const ruleSet = typeof rules === 'string' ? ruleSetNamed(rules) : rules;
  const score = scoreTranscript({ reference, transcript, rules: ruleSet });
  const { words, characters, alignment } = score;
  const { tokens, substitutions, deletions, insertions } = words;
  const wordErrors =
    `${counted(substitutions, 'substitution')}, ${counted(deletions, 'deletion')} and ` +
    `${counted(insertions, 'insertion')} in ${counted(tokens, 'word')}`;
  const characterErrors = `${counted(characters.errors, 'error')} in ${counted(characters.tokens, 'character')}`;
  const rated = (rate: number, errors: string) => ({
    rate,
    counts: `${shown(rate)}: ${errors} by ${ruleSet.name}`,
  });
  return {
    wer: rated(errorRate(tokenErrors(words)), wordErrors),
    cer: rated(errorRate(characters), characterErrors),
    alignment,
  };
}
