import { expect, test } from 'vitest';
import { startCommand } from '../../helpers/commandLine.ts';
import { needsRecognizer } from '../../helpers/needs.ts';

const suite = new URL('../../../samples/suite.yaml', import.meta.url).pathname;
const baseline = new URL('../../fixtures/replay/recognizer.baseline.json', import.meta.url).pathname;

// rxscribe replay samples/suite.yaml --baseline test/fixtures/replay/recognizer.baseline.json --update
test('the embedded recognizer has not regressed', {
  tags: 'tools',
  timeout: 300_000,
}, async context => {
  await needsRecognizer(context);
  await using replay = startCommand(['replay', suite, '--baseline', baseline, '--json']);
  const { code, stdout, stderr } = await replay.done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { files, gate } = JSON.parse(stdout);
  expect(files.map(({ name }: { name: string }) => name)).toEqual([
    'sense-and-sensibility',
    'not-ill-disposed',
  ]);
  expect(gate.checks.length).toBeGreaterThan(5);
});
