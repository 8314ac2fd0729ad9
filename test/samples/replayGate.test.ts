import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryDirectory } from '../helpers/dataDirectory.ts';

const samples = new URL('../../samples/', import.meta.url);
const CLI = new URL('../../src/cli.ts', import.meta.url).pathname;
const CASSETTE = 'sense-and-sensibility.cassette';

interface Workflow {
  readonly on: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: { readonly replay: { readonly steps: readonly Step[] } };
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** Runs a command of the workflow in a directory as GitHub does, with this checkout in place of the installed package. */
async function runStep(command: string, directory: string) {
  const script = command.replace('npx rxscribe', `'${process.execPath}' --no-warnings '${CLI}'`);
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(directory, 'summary.md') };
  const child = spawn('bash', ['-e', '-c', script], { cwd: directory, env });
  let stdout = '';
  child.stdout.on('data', piece => (stdout += piece));
  const [code] = await once(child, 'close');
  return { code, stdout };
}

test('the sample workflow passes for good words, and fails with an annotation for wrong ones', {
  tags: 'slow',
}, async () => {
  const workflow: Workflow = parse(await readFile(new URL('replay-gate.yml', samples), 'utf8'));
  expect(workflow).toMatchObject({ on: 'pull_request', permissions: { contents: 'read' } });
  const { steps } = workflow.jobs.replay;
  const [install, replay] = steps.flatMap(({ run }) => run ?? []);
  expect(install).toBe('npm ci');
  const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  expect(kept).toMatchObject({ if: 'always()', with: { path: 'replay/' } });

  const directory = await temporaryDirectory();
  const cassettes = join(directory, 'cassettes');
  await mkdir(cassettes);
  for (const name of [`${CASSETTE}.jsonl`, 'sense-and-sensibility.wav', 'sense-and-sensibility.txt']) {
    await copyFile(new URL(name, samples), join(cassettes, name));
  }
  expect(await runStep(replay!, directory)).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('::error'),
  });
  await writeFile(join(cassettes, 'sense-and-sensibility.txt'), 'something else was said');
  const failed = await runStep(replay!, directory);
  expect(failed.code).toBe(6);
  expect(failed.stdout).toMatch(
    /^::error file=cassettes\/sense-and-sensibility\.cassette\.jsonl,line=1,title=cassettes::wer .* is above 10\.00 %25$/m,
  );
  expect((await readdir(join(directory, 'replay'))).sort()).toEqual(['report.html', 'report.xml']);
  expect(await readFile(join(directory, 'summary.md'), 'utf8')).toMatch(/^## ✅ Passed.+## ❌ Failed/s);
});
