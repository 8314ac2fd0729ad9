import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../../src/replay/report/report.ts';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const sample = (name: string) => readFile(new URL(`../../../samples/${name}`, import.meta.url));
const NAME = 'sense-and-sensibility';

/** A suite whose only case fails: its cassette does not have the words of its reference. */
async function failingSuite(): Promise<string> {
  return suiteFolder({
    'speech/suite.yaml': `name: calls\ncases:\n  - cassette: ${NAME}.cassette.jsonl\n    reference: wrong.txt\n    thresholds: { wer: 10% }\n`,
    'speech/wrong.txt': 'nothing of it',
    [`speech/${NAME}.cassette.jsonl`]: await sample(`${NAME}.cassette.jsonl`),
    [`speech/${NAME}.wav`]: await sample(`${NAME}.wav`),
  });
}

test('in a workflow of GitHub, failures are annotations of the suite, and the report is appended to the summary', async () => {
  const directory = await failingSuite();
  const summary = join(directory, 'summary.md');
  await writeFile(summary, 'of an earlier command\n');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: directory, GITHUB_STEP_SUMMARY: summary };
  const { code, stdout, stderr } = await runCommand(cli`replay ${join(directory, 'speech/suite.yaml')}`, {
    env,
  });
  expect({ code, stderr }).toEqual({ code: 6, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  const [, token] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0]!)!;
  const on = lines.indexOf(`::${token}::`);
  expect(lines.slice(0, on).join('\n')).toContain('the file with the most');
  expect(lines.slice(on + 1)).toEqual([
    expect.stringMatching(
      /^::error file=speech\/suite\.yaml,line=3,title=sense-and-sensibility::wer .* is above 10\.00 %25%0AREF/,
    ),
  ]);
  expect(await readFile(summary, 'utf8')).toMatch(/^of an earlier command\n## ❌ Failed: calls\n/);
});

test('with --report github and --json the annotations are on the error output, and the JSON is a report', async () => {
  const directory = await failingSuite();
  const cassette = join(directory, `speech/${NAME}.cassette.jsonl`);
  const args = cli`replay ${cassette} --reference ${join(directory, 'speech/wrong.txt')} --max-wer 0 --report github --json`;
  const { code, stdout, stderr } = await runCommand(args, { env: { GITHUB_WORKSPACE: directory } });
  expect(code).toBe(6);
  expect((JSON.parse(stdout) as Report).report).toBe('rxscribe');
  // A limit of all files belongs to what the command line names.
  expect(stderr).toMatch(
    /^::error file=speech\/sense-and-sensibility\.cassette\.jsonl,line=1,title=[^:]+::wer .*\n$/,
  );
});

test('a summary that cannot be written is an error', async () => {
  const directory = await failingSuite();
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(directory, 'none/summary.md') };
  const { code, stderr } = await runCommand(cli`replay ${join(directory, 'speech/suite.yaml')}`, { env });
  expect(code).not.toBe(0);
  expect(stderr).toContain('summary.md');
});
