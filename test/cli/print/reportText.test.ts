import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { reportText } from '../../../src/cli/print/reportText.ts';
import { alignedText, fileOf, reportOf } from '../../replay/report/exampleReport.ts';

const words = alignedText('and mister john', {}, 3);
const textOf = (report: ReturnType<typeof reportOf>) =>
  stripVTControlCharacters(reportText(report, new PassThrough()));

test('audio that was not transcribed is listed with its cause', () => {
  const hole = { ts: 1, endTs: 3.5, kind: 'hole', cause: 'no-final' } as const;
  expect(textOf(reportOf([fileOf('one', words, { coverageSpans: [hole] })]))).toMatch(
    /Holes\n\s*file +Cause +Start +End\s*\n\s*one +no-final +0:01.0 +0:03.5/,
  );
  expect(textOf(reportOf([fileOf('one', words)]))).not.toContain('Holes');
});
