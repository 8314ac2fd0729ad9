import { differenceLines } from '../report/differenceLines.ts';
import { transcriptOf } from './heard.ts';
import { type ReferenceFile, type ReferenceValue, withReference } from './referenceInput.ts';
import { type ScoringOptions, scoreHeard } from './scoreHeard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** Whether fewer than such a part of the words of a reference are wrong. */
export function toHaveWerBelow(
  received: unknown,
  limit: number,
  reference: ReferenceValue | ReferenceFile,
  options?: ScoringOptions,
): Verdict | Promise<Verdict> {
  checkedLimit(limit, 'toHaveWerBelow');
  const transcript = transcriptOf(received, 'toHaveWerBelow');
  return withReference(reference, 'toHaveWerBelow', said => {
    const { wer, wordCounts, alignment } = scoreHeard(transcript, said, options);
    return verdict({
      pass: wer < limit,
      subject: 'the word error rate',
      claim: `be below ${shown(limit)}`,
      found: `it is ${wordCounts}`,
      details: () => differenceLines(alignment).join('\n'),
    });
  });
}

/** The same of its characters. */
export function toHaveCerBelow(
  received: unknown,
  limit: number,
  reference: ReferenceValue | ReferenceFile,
  options?: ScoringOptions,
): Verdict | Promise<Verdict> {
  checkedLimit(limit, 'toHaveCerBelow');
  const transcript = transcriptOf(received, 'toHaveCerBelow');
  return withReference(reference, 'toHaveCerBelow', said => {
    const { cer, characterCounts, alignment } = scoreHeard(transcript, said, options);
    return verdict({
      pass: cer < limit,
      subject: 'the character error rate',
      claim: `be below ${shown(limit)}`,
      found: `it is ${characterCounts}`,
      details: () => differenceLines(alignment).join('\n'),
    });
  });
}
