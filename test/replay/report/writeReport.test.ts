import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReport } from '../../../src/replay/report/writeReport.ts';
import { alignedText, fileOf, reportOf } from './exampleReport.ts';

const report = reportOf([fileOf('one', alignedText('a b', { b: 'c' }, 1))]);
const newDirectory = () => mkdtemp(join(tmpdir(), 'reports-'));

test.each([
  ['report.json', '{\n  "wer"'],
  ['report.xml', '<?xml'],
  ['report.md', '## ✅'],
  ['report.html', '<!doctype html>'],
])('%s has the format of its extension', async (name, start) => {
  const directory = await newDirectory();
  await writeReport(report, join(directory, 'new', name));
  const written = await readFile(join(directory, 'new', name), 'utf8');
  expect(written.slice(0, start.length)).toBe(start);
  expect(await readdir(join(directory, 'new'))).toEqual([name]);
});

test.each(['report.txt', 'report', 'report.JSON', '.json'])(
  '%s is refused, with what there is',
  async name => {
    await expect(writeReport(report, join(await newDirectory(), name))).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('its name must end in one of .json, .xml, .md, .html.'),
    });
  },
);

test('a report that cannot be written keeps the old one, without other files', async () => {
  const directory = await newDirectory();
  const path = join(directory, 'report.json');
  await writeFile(path, 'before');
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(writeReport(report, path, new Map(), { signal })).rejects.toThrow();
  expect(await readFile(path, 'utf8')).toBe('before');
  expect(await readdir(directory)).toEqual(['report.json']);
});
