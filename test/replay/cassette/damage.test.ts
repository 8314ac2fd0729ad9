import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../suite/suiteFolder.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url);
const NAME = 'sense-and-sensibility';

interface Line {
  readonly type: string;
  readonly message?: { readonly type: string; readonly elements?: readonly { readonly value: string }[] };
}

type Change = (line: Line, index: number, lines: readonly Line[]) => Line | readonly Line[];

const isFinal = ({ message }: Line) => message?.type === 'final';
const isPartial = ({ message }: Line) => message?.type === 'partial';
const without =
  (is: (line: Line) => boolean, which = 0): Change =>
  (line, _, lines) =>
    is(line) && lines.filter(is).indexOf(line) === which ? [] : line;
const retyped =
  (is: (line: Line) => boolean, type: string): Change =>
  line =>
    is(line) && line.message ? { ...line, message: { ...line.message, type } } : line;

/** Replays the sample after a change of its lines. */
async function replayed(change: Change, flags: readonly string[] = []) {
  const lines = (await readFile(new URL(`${NAME}.cassette.jsonl`, SAMPLES), 'utf8')).trim().split('\n');
  const all = lines.map(line => JSON.parse(line) as Line);
  const changed = all.flatMap(change).map(line => `${JSON.stringify(line)}\n`);
  const directory = await suiteFolder({
    'talk.cassette.jsonl': changed.join(''),
    [`${NAME}.wav`]: await readFile(new URL(`${NAME}.wav`, SAMPLES)),
  });
  const { code, stdout } = await runCommand(
    cli`replay ${join(directory, 'talk.cassette.jsonl')} --speed max ${flags}`,
  );
  return { code, stdout };
}

describe('a changed cassette', () => {
  test.each<[string, Change, RegExp]>([
    ['a final that was removed', without(isFinal, 1), /the final of the words from 7\.\d+ to \d+/],
    ['the last final that was removed', without(isFinal, 4), /the final of the words from 2\d/],
    ['all finals removed', line => (isFinal(line) ? [] : line), /the final of the words/],
    ['a final of an unknown type', retyped(isFinal, 'finall'), /unknown type 'finall'/],
    ['partials of an unknown type', retyped(isPartial, 'part'), /unknown type 'part'/],
    ['its end removed', line => (line.type === 'end' ? [] : line), /its end is missing/],
  ])('is red: %s', async (_, change, reason) => {
    const { code, stdout } = await replayed(change);
    expect(stdout).toMatch(reason);
    expect(code).toBe(6);
  });

  test.each<[string, Change]>([
    ['unchanged', line => line],
    ['without one partial', without(isPartial, 3)],
    [
      'with a message of an unknown type without words',
      line => (isFinal(line) ? [line, { ...line, message: { type: 'note' } }] : line),
    ],
  ])('is green: %s', async (_, change) => {
    expect((await replayed(change, ['--max-wer', '0'])).code).toBe(0);
  });
});

/** Replays the sample once by a suite with further settings of its case. */
async function inSuite(settings: string, flags: readonly string[] = []) {
  const directory = await suiteFolder({
    'suite.yaml': `cases: [{ cassette: ${NAME}.cassette.jsonl, speed: max, ${settings} }]`,
    [`${NAME}.cassette.jsonl`]: await readFile(new URL(`${NAME}.cassette.jsonl`, SAMPLES)),
    [`${NAME}.wav`]: await readFile(new URL(`${NAME}.wav`, SAMPLES)),
  });
  return runCommand(['replay', join(directory, 'suite.yaml'), ...flags]);
}

const UNAUTHORIZED = 'faults: [[{ kind: http-status, status: 401 }]]';
const TOO_MANY = 'faults: [[{ kind: close, code: 4001, after_seconds: 3 }]]';

test.each([
  ['a status of the handshake', `${UNAUTHORIZED}, expect: { http: 401 }`, 0, /✔ .*failed as expected: .*401/],
  ['a close code', `${TOO_MANY}, expect: { close: 4001 }`, 0, /✔ .*failed as expected/],
  ['another status', `${UNAUTHORIZED}, expect: { http: 403 }`, 6, /✘ .*expected status 403, found: .*401/],
  [
    'an error that does not come',
    'expect: { close: 4001 }',
    6,
    /✘ .*expected close code 4001, found: the stream ended normally/,
  ],
  ['neither', 'expect: {}', 2, /expect: expected close .* or http/],
])('a case may expect an error: %s', async (_, settings, exitCode, found) => {
  const { code, stdout, stderr } = await inSuite(settings);
  expect(stdout + stderr).toMatch(found);
  expect(code).toBe(exitCode);
});

test('two words of a recording that changed places are named', async () => {
  const cassette = await readFile(new URL(`${NAME}.cassette.jsonl`, SAMPLES), 'utf8');
  const directory = await suiteFolder({
    'talk.cassette.jsonl': cassette,
    [`${NAME}.wav`]: await readFile(new URL(`${NAME}.wav`, SAMPLES)),
  });
  const path = join(directory, 'talk.cassette.jsonl');
  const flags = cli`--speed max --baseline ${join(directory, 'baseline.json')}`;
  expect(await runCommand(cli`replay ${path} ${flags} --update`)).toMatchObject({ code: 0 });
  const swapped = cassette.replace(
    /"value":"even","ts"(.*?)"value":"have","ts"/,
    '"value":"have","ts"$1"value":"even","ts"',
  );
  expect(swapped).not.toBe(cassette);
  await writeFile(path, swapped);
  const { code, stdout } = await runCommand(cli`replay ${path} ${flags}`);
  expect(stdout).toMatch(
    /✘ talk: the recording has other words: 64: \(nothing\) → have, 65: have → \(nothing\): restore the cassette, or, if it was/,
  );
  expect(code).toBe(6);
});

test('reconnects and the attempts that they took are counted apart', async () => {
  const refused = '[{ kind: refuse }]';
  const { stdout } = await inSuite(`faults: [[{ kind: cut, after_seconds: 5 }], ${refused}, ${refused}]`, [
    '--json',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ reconnects: 1, attempts: 3 });
});

test.each([
  ['after the end of the audio', '[[{ kind: cut, after_seconds: 60 }]]'],
  ['on a connection that is never made', '[[], [{ kind: drop }]]'],
])('a fault %s is red', async (_, faults) => {
  const { code, stdout } = await inSuite(`faults: ${faults}`);
  expect(stdout).toContain('never took place');
  expect(code).toBe(6);
});
