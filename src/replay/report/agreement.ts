import type { FileReport } from '../measure/fileReport.ts';
import type { Measures } from '../measure/measures.ts';

/** One run, or all of them. */
export type Compared = Measures & {
  readonly reference?: FileReport['reference'];
  readonly files?: readonly Pick<FileReport, 'reference'>[];
};

const MARK = ' †';

/** What rates are that have a mark. */
export const AGREEMENT =
  'against what was heard when it was recorded, not against what was said: how far they agree, no error rate';

/** Stands below whatever has a mark. */
export const AGREEMENT_NOTE = `† ${AGREEMENT}`;

/** Whether words were compared with a recording's own. */
export function isAgreement({ reference, files = [] }: Omit<Compared, keyof Measures>): boolean {
  return reference === 'recording' || files.some(file => file.reference === 'recording');
}

/** What stands behind a rate of errors that is none; else nothing. */
export function agreementMark(compared: Compared): string {
  return compared.wer !== null && isAgreement(compared) ? MARK : '';
}
