import { describe, expect, test } from 'vitest';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const VOCABULARIES = '/speechtotext/v1/vocabularies';

type Running = Awaited<ReturnType<typeof startTestService>>;

/** Submits phrases; returns the id of their vocabulary. */
async function submit(service: Running, phrases: readonly string[]): Promise<string> {
  const answer = await request(service, VOCABULARIES, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ custom_vocabularies: [{ phrases }] }),
  });
  expect(answer.status).toBe(200);
  return answer.json().id;
}

async function statusOf(service: Running, id: string): Promise<string> {
  return (await request(service, `${VOCABULARIES}/${id}`)).json().status;
}

describe('a session with a vocabulary', () => {
  test('makes its recogniser favour the usable phrases', async () => {
    const recognizer = createScriptedRecognizer();
    const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
    const id = await submit(service, ['ill disposed', 'Norland 2', 'Dashwood']);
    await expect.poll(() => statusOf(service, id)).toBe('complete');
    const client = connectStream(service, { custom_vocabulary_id: id });
    expect((await client.finish(scriptedSpeech([4, 7]))).code).toBe(1000);
    expect(client.finalWords()).toEqual(['W4', 'w7']);
    expect(recognizer.opened.map(({ phrases }) => phrases)).toEqual([['ill disposed', 'Dashwood']]);
  });

  test.each(['that is not there', 'that is not complete', 'that failed', 'that is no vocabulary'])(
    'is closed with 4002 and why, for one %s',
    async which => {
      const inspection = Promise.withResolvers<void>();
      const scripted = createScriptedRecognizer();
      const recognizer = {
        ...scripted,
        async inspectPhrases(phrases: readonly string[]) {
          await inspection.promise;
          return scripted.inspectPhrases(phrases);
        },
      };
      const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
      let id = 'cvUnknown';
      if (which.endsWith('complete') || which.endsWith('failed')) {
        id = await submit(service, ['number 9']);
      }
      if (which.endsWith('no vocabulary')) {
        const speech = connectStream(service);
        id = await speech.connected;
        await speech.finish();
      }
      if (!which.endsWith('not complete')) inspection.resolve();
      if (which.endsWith('failed')) {
        await expect.poll(() => statusOf(service, id)).toBe('failed');
      }
      const client = connectStream(service, { custom_vocabulary_id: id });
      expect(await client.closed).toEqual({
        code: 4002,
        reason: 'Bad request: custom_vocabulary_id: unknown or not complete',
      });
      expect(scripted.opened.length).toBe(which.endsWith('no vocabulary') ? 1 : 0);
      inspection.resolve();
    },
  );
});
