import { expect, test } from 'vitest';
import { VOCABULARY_LIMITS } from '../../../src/protocol/limits.ts';
import { readSubmission } from '../../../src/service/areas/readSubmission.ts';
import { vocabularies } from '../../../src/service/areas/vocabularies.ts';
import { refuseComplexJson } from '../../../src/service/http/refuseComplexJson.ts';

/** Returns how often others get their turn during a piece of work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let waiting: NodeJS.Immediate;
  const turn = () => {
    turns++;
    waiting = setImmediate(turn);
  };
  waiting = setImmediate(turn);
  await work();
  clearImmediate(waiting);
  return turns;
}

test('other work proceeds while a vocabulary of the largest size is checked', async () => {
  const phrases = Array.from({ length: VOCABULARY_LIMITS.phrases }, (_, index) => `phrase number${index}`);
  const json = { custom_vocabularies: Array(VOCABULARY_LIMITS.vocabularies).fill({ phrases }) };
  const context = { isUpload: false, allowPrivateAddresses: false, name: 'request', faults: [], ignored: [] };
  const read = () => readSubmission(vocabularies.submission, json, context);
  // Each vocabulary, of milliseconds, is a turn.
  expect(await turnsDuring(read)).toBeGreaterThanOrEqual(VOCABULARY_LIMITS.vocabularies);
});

test('other work proceeds while the complexity of JSON of the largest size is measured', async () => {
  expect(await turnsDuring(() => refuseComplexJson(Buffer.alloc(32 * 2 ** 20, ' ')))).toBeGreaterThan(30);
});
