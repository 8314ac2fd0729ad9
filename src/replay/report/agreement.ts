import type { FileReport } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';

/** Measures of one run, or of all runs. */
export type Compared = Measures & {
  readonly reference?: FileReport['reference'];
  readonly service?: string;
  readonly files?: readonly Pick<FileReport, 'reference' | 'service'>[];
};

const MARK = ' †';

/** Meaning of the mark after a rate. */
export const AGREEMENT =
  'compared with the recorded transcript, not with a reference: a rate of disagreement, not an error rate';

/** Note below tables with marks. */
export const AGREEMENT_NOTE = `† ${AGREEMENT}`;

/** Returns whether words were compared with the transcript that a cassette recorded. */
export function isAgreement({ reference, files = [] }: Omit<Compared, keyof Measures>): boolean {
  return reference === 'recording' || files.some(file => file.reference === 'recording');
}

/** Returns the mark for a rate of agreement, which is not an error rate; else an empty text. */
export function agreementMark(compared: Compared): string {
  return compared.wer !== null && isAgreement(compared) ? MARK : '';
}
