import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  decisionsNote,
  type OperatorDecisions,
  readDecisions,
  writeDecisions,
} from '../../../src/captions/control/operatorDecisions.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const DECISIONS: OperatorDecisions = {
  atMs: Date.UTC(2026, 10, 26, 20, 14),
  mode: 'off',
  isTyping: false,
  language: 'de',
  ban: ['damn', 'ü'],
  replace: [{ text: 'rx', by: 'Rx' }],
  addedPhrases: ['Marianne'],
};

const pathOf = async () => join(await temporaryDirectory(), 'talk.srt.operator.json');

test('decisions are read as they were written', async () => {
  const path = await pathOf();
  expect(readDecisions(path)).toBeUndefined();
  for (const decisions of [DECISIONS, { ...DECISIONS, mode: 'on', language: undefined } as const]) {
    await writeDecisions(path, decisions);
    expect(readDecisions(path)).toEqual(decisions);
  }
  expect(readDecisions(path)).not.toHaveProperty('language');
});

test.each([
  ['another mode', { mode: 'asleep' }, "it is not a complete file of an operator's decisions"],
  [
    'a phrase that is a number',
    { addedPhrases: [1] },
    "it is not a complete file of an operator's decisions",
  ],
  ['two rules for a phrase', { ban: ['rx', 'RX'] }, "There are two text rules for 'RX'. Remove one"],
])('decisions with %s are refused', async (_, fault, reason) => {
  const path = await pathOf();
  const text = JSON.stringify({ version: 1, decisions: { ...DECISIONS, ...fault } });
  await writeFile(path, text);
  expect(() => readDecisions(path)).toThrow(
    `Cannot continue '${path}': ${reason}. Remove the file to begin without the operator's decisions.`,
  );
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('decisions that cannot be written are an error with the name of the file', async () => {
  const path = join(await temporaryDirectory(), 'missing/talk.srt.operator.json');
  await expect(writeDecisions(path, DECISIONS)).rejects.toMatchObject({
    code: 'store',
    message: `Cannot write '${path}': no such file or directory.`,
  });
});

test.each([
  [{}, /^Captions are off, as the operator left them on \d+ Nov 2026, \d\d:14\. Start them on the/],
  [{ mode: 'paused', isTyping: true }, /^Captions are paused, .*\. Start them on the operator's page\.$/],
  [
    { mode: 'on', isTyping: true },
    /^Captions are typed by hand, .*\. Hand them back on the operator's page\.$/,
  ],
] as const)('a note says how captions begin after %j', (changes, note) => {
  expect(decisionsNote({ ...DECISIONS, ...changes })).toMatch(note);
});

test('no note is there for captions that are on', () => {
  expect(decisionsNote({ ...DECISIONS, mode: 'on' })).toBeUndefined();
});
