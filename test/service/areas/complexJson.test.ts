import { expect, test } from 'vitest';
import { VOCABULARY_LIMITS } from '../../../src/protocol/limits.ts';
import { VocabularySubmissionSchema } from '../../../src/protocol/submissions.ts';
import { schemaFaults } from '../../../src/service/areas/faults.ts';
import { readSubmission } from '../../../src/service/areas/readSubmission.ts';
import { vocabularies } from '../../../src/service/areas/vocabularies.ts';
import { refuseComplexJson } from '../../../src/service/http/refuseComplexJson.ts';
import { SENTIMENT_JOBS, SPEECH_JOBS, VOCABULARIES } from '../../helpers/collections.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { canReadMemory, growthDuring } from '../../helpers/processMemory.ts';
import { startServiceProcess } from '../../helpers/serviceProcess.ts';
import { type Answer, request, TEST_TOKEN } from '../../helpers/testService.ts';

const MIB = 1024 * 1024;

/** Returns a list with as many items as fit into a body. */
const listOf = (item: string, mib: number) =>
  `[${`${item},`.repeat((mib * MIB) / (item.length + 1))}${item}]`;
const names = (count: number) => Array.from({ length: count }, (_, index) => `"a${index}":0`).join();
const vocabulariesJson = (list: string) =>
  `{"media_url":"http://127.0.0.1:9/","custom_vocabularies":${list}}`;
const transcript = (monologues: string) => `{"json":{"monologues":${monologues}}}`;
const phrases = (item: string, lists: number, count: number) =>
  vocabulariesJson(
    `[${Array(lists)
      .fill(`{"phrases":[${Array(count).fill(item).join()}]}`)
      .join()}]`,
  );

/** Bodies that are expensive in each part, or as a whole. */
const BODIES: readonly (readonly [string, string, () => string, number])[] = [
  ['objects without end', SPEECH_JOBS, () => vocabulariesJson(listOf('{}', 30)), 413],
  ['lists without end', SPEECH_JOBS, () => vocabulariesJson(listOf('[]', 30)), 413],
  [
    'lists in lists',
    SPEECH_JOBS,
    () => vocabulariesJson(`${'['.repeat(15 * MIB)}${']'.repeat(15 * MIB)}`),
    413,
  ],
  ['names of fields without end', SPEECH_JOBS, () => `{${names(2_000_000)}}`, 413],
  ['a million objects', SPEECH_JOBS, () => vocabulariesJson(listOf('{}', 3)), 400],
  ['a million phrases', SPEECH_JOBS, () => vocabulariesJson(`[{"phrases":${listOf('""', 4)}}]`), 400],
  ['phrases that are none', SPEECH_JOBS, () => phrases('0', 50, 6000), 400],
  ['phrases without letters', SPEECH_JOBS, () => phrases('"1234"', 50, 6000), 400],
  ['a phrase of a million words', VOCABULARIES, () => vocabulariesJson(`["${'a '.repeat(15 * MIB)}"]`), 400],
  ['a million monologues', SENTIMENT_JOBS, () => transcript(listOf('{}', 4)), 400],
  [
    'a million elements',
    SENTIMENT_JOBS,
    () => transcript(`[{"speaker":0,"elements":${listOf('{}', 4)}}]`),
    400,
  ],
];

/** Far more than any of them takes, and far less than a service that processes all of their parts. */
const MOST_MIB = 600;
/** The same of processor time, as a multiple of what one text of as many bytes takes. */
const MOST_OF_FLOOR = 20;

test.skipIf(!canReadMemory)(
  'a body of very many small values costs little more than its bytes',
  { tags: 'slow', timeout: 300_000 },
  async () => {
    const service = await startServiceProcess({ token: TEST_TOKEN, logLevel: 'silent' });
    const post = (path: string, body: string) =>
      request(service, path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect((await post(SENTIMENT_JOBS, '{"text":"Good."}')).status).toBe(200);
    /** Posts a body, and resolves with its answer and what it cost. */
    const costOf = async (path: string, body: string) => {
      let answer: Answer | undefined;
      let seconds = 0;
      const mebibytes = await growthDuring(service.pid, async () => {
        seconds = await cpuSecondsOf(async () => {
          answer = await post(path, body);
        });
      });
      return { status: answer?.status, seconds, mebibytes };
    };
    const floor = await costOf(SENTIMENT_JOBS, `{"text":"${'a '.repeat(15 * MIB)}"}`);
    const mostSeconds = MOST_OF_FLOOR * floor.seconds;
    for (const [name, path, bodyOf, status] of BODIES) {
      const body = bodyOf();
      let cost = await costOf(path, body);
      // The service may do something else at the same time, but not each time.
      for (let tries = 1; tries < 4 && (cost.seconds > mostSeconds || cost.mebibytes > MOST_MIB); tries++) {
        cost = await costOf(path, body);
      }
      expect.soft(cost.status, name).toBe(status);
      expect.soft(cost.seconds, `${name}: processor time`).toBeLessThan(mostSeconds);
      expect.soft(cost.mebibytes, `${name}: memory`).toBeLessThan(MOST_MIB);
    }
  },
);

test('invalid items of a long list are named by their indices', () => {
  const good = { phrases: ['fine'] };
  const phrases = Array.from({ length: 6000 }, (_, index) => (index % 1000 === 999 ? index : 'fine'));
  const faults = schemaFaults(VocabularySubmissionSchema, {
    custom_vocabularies: [good, { phrases }, 'x', 7],
  });
  expect(faults.map(([name]) => name)).toEqual([
    ...[999, 1999, 2999, 3999, 4999, 5999].map(index => `custom_vocabularies[1].phrases[${index}]`),
    'custom_vocabularies[3]',
  ]);
});

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
