import { differenceLines } from '../report/differenceLines.ts';
import { transcriptOf } from './heard.ts';
import { type ReferenceFile, type ReferenceValue, withReference } from './referenceInput.ts';
import { type HeardScore, type ScoringOptions, scoreHeard } from './scoreHeard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** Whether fewer than such a part of the words of a reference are wrong. */
export const toHaveWerBelow = errorRateMatcher('toHaveWerBelow', 'the word error rate', score => ({
  rate: score.wer,
  counts: score.wordCounts,
}));

/** The same of its characters. */
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
