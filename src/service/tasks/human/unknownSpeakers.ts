import { InvalidArgumentError } from '../../../base/errors.ts';

/** A line of a text, without the label of its speaker. */
export interface Line {
  /** Absent without a label that is known. */
  readonly speaker?: number;
  readonly text: string;
}

/** A certain label: a tab or a time follows, as in plain text transcripts. */
const CERTAIN = /^(\S[^:\t]{0,63}?)\s*(?::\t|(?:\t| {2,})(?:\d+:)?\d+:\d\d(?=\s|$))/u;
/** Up to four words with capitals before a colon. */
const LIKELY = /^((?!\p{N})(?:[\p{Lu}\p{Lt}\p{N}][\p{L}\p{M}\p{N}.'’&-]*(?: (?=\S)|(?=:))){1,4}):(?=\s|$)/u;
/** Such words that begin sentences. */
const ORDINARY =
  /^(?:note|n\.?b\.?|p\.?s\.?|example|reminder|remember|warning|caution|important|tip|yes|no)$/i;
/** Maximum number of labels in a message. */
const MAX_SHOWN = 5;

/**
 * Refuses labels of speakers that are not known. A line that possibly begins with a label counts where labels are expected: in
 * a job with names of speakers, or a text that has known labels, one of them twice, or mostly lines like this.
 *
 * @throws InvalidArgumentError
 */
export function refuseUnknownSpeakers(lines: readonly Line[], speakerNames: readonly string[]): void {
  const found = lines.flatMap(({ speaker, text }, index) => {
    const certain = CERTAIN.exec(text)?.[1];
    const label = certain ?? LIKELY.exec(text)?.[1];
    if (speaker !== undefined || label === undefined || ORDINARY.test(label)) return [];
    return [{ label, line: index + 1, isCertain: certain !== undefined }];
  });
  const isExpected =
    speakerNames.length > 0 ||
    lines.some(({ speaker }) => speaker !== undefined) ||
    new Set(found.map(({ label }) => label)).size < found.length ||
    2 * found.length > lines.filter(({ text }) => text !== '').length;
  const unknown = found.filter(({ isCertain }) => isCertain || isExpected);
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MAX_SHOWN).map(({ label, line }) => `"${label}:" in line ${line}`);
  const more = unknown.length - shown.length;
  const names = speakerNames.filter(name => name.trim() !== '');
  const known = [...names.map(name => `"${name}:"`), '"Speaker 0:", "Speaker 1:" and so on'];
  throw new InvalidArgumentError(
    `Unknown speakers: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}. Known are ${known.join(', ')}. ` +
      'Where it is text, write the label of its speaker before it.',
  );
}
