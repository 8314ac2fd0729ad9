import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const INPUT = 'input: samples/not-ill-disposed.wav';

/** Returns what a configuration prints that cannot be used, with a service that nothing may reach. */
async function refusalOf(config: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'event.yaml');
  await writeFile(path, config);
  const address = ['--url', 'http://127.0.0.1:9', '--token', 't'];
  const { code, stderr } = await runCommand(['caption', '--config', path, ...address]);
  expect(code).toBe(2);
  return stderr;
}

describe('rooms of a configuration', () => {
  test.each([
    [
      'a name of the page itself',
      `page: 0\nrooms:\n  - { name: operator, ${INPUT} }`,
      "The page has the name 'operator' already.",
    ],
    [
      'the name of the text of another one',
      `page: 0\nrooms:\n  - { name: a, ${INPUT}, tracks: [{ name: b, hook: cat }] }\n  - { name: a-b, ${INPUT} }`,
      "The page has the name 'a-b' already.",
    ],
    [
      'the spool of another one',
      `spool: kept\nrooms:\n  - { name: a, ${INPUT} }\n  - { name: b, ${INPUT} }`,
      "Spool 'kept' is named twice.",
    ],
    [
      'the address of another one',
      `youtube: http://127.0.0.1:9/?cid=1\nrooms:\n  - { name: a, ${INPUT} }\n  - { name: b, ${INPUT} }`,
      'Two texts have the same address of --youtube.',
    ],
  ])('never have %s', async (_, config, message) => {
    expect(await refusalOf(config)).toContain(message);
  });
});

test('variables that are empty, or are for a page that is not wanted, change nothing', async () => {
  const env = { RXSCRIBE_ZOOM_URL: '', RXSCRIBE_OPERATOR_TOKEN: 'a-token-of-the-operator' };
  const args = ['caption', 'missing.wav', '--url', 'http://127.0.0.1:9', '--token', 't'];
  const { code, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: "error: Cannot read 'missing.wav': there is no such file.\n",
  });
});
