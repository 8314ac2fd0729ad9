import type { Reference } from '../reference/reference.ts';
import { differenceLines } from '../report/differenceLines.ts';
import { transcriptOf } from './heard.ts';
import { type ReferenceFile, type ReferenceValue, withReference } from './referenceInput.ts';
import { type ScoringOptions, scoreHeard } from './scoreHeard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** How far a transcript may be from its reference. */
export interface MatchOptions extends ScoringOptions {
  /** Greatest word error rate. Default 0: the same words. */
  readonly maxWer?: number;
}

/** Whether the words are those of a reference, but for what may differ. */
export function toMatchTranscript(
  received: unknown,
  reference: ReferenceValue | ReferenceFile,
  options: MatchOptions = {},
): Verdict | Promise<Verdict> {
  checkedMatch(options, 'toMatchTranscript');
  const transcript = transcriptOf(received, 'toMatchTranscript');
  return withReference(reference, 'toMatchTranscript', said => matchVerdict(transcript, said, options));
}

/** @throws InvalidArgumentError for a limit that nothing can be compared with */
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
