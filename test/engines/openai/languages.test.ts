import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createRecognizerIdentifier } from '../../../src/engines/languages/heardLanguages.ts';
import { createOpenAiRecognizer } from '../../../src/engines/openai/recognizer.ts';
import { endOf, keptService, postMedia } from '../../helpers/keptService.ts';
import { openHttpServer } from '../../helpers/loopbackServer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';

const speech = readFileSync(fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url)));

/** Languages of the requests, and the language that the server hears next. */
const asked: (string | undefined)[] = [];
let heard = 'german';
const server = await openHttpServer(async (asking, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of asking) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('latin1');
  const given = /name="language"\r\n\r\n(\w+)/.exec(text)?.[1];
  if (asking.method === 'POST') asked.push(given);
  response.end(
    JSON.stringify({ language: given ?? heard, text: given === 'en' ? 'Good day.' : 'Um, zwanzig.' }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const recognizer = (...languages: string[]) =>
  createOpenAiRecognizer({ url: `${server.url}/v1`, languages, partialSeconds: 0 });
const several = recognizer('en', 'de');
const service = keptService({
  recognizer: several,
  languageIdentifier: createRecognizerIdentifier(several),
});
const german = keptService({ recognizer: recognizer('de') });

async function transcribed(options?: object, of = service()) {
  asked.length = 0;
  const { id } = (await postMedia(of, '/speechtotext/v1/jobs', speech, options)).json();
  const job = await endOf(of, `/speechtotext/v1/jobs/${id}`);
  const headers = { accept: 'text/plain' };
  const transcript = await request(of, `/speechtotext/v1/jobs/${id}/transcript`, { headers });
  return { ...job, text: transcript.text };
}

it('a job without a language gets that which the server heard', async () => {
  heard = 'german';
  const { language, text, warnings } = await transcribed({ remove_disfluencies: true });
  expect([language, ...asked]).toEqual(['de', undefined]);
  // Disfluencies and numbers are those of English only.
  expect(text).toContain('Um, zwanzig.');
  expect(warnings).toEqual([expect.stringMatching(/times of words are estimates/)]);
});

it('a job with a language keeps it, and an unknown one of the server does not count', async () => {
  expect(await transcribed({ language: 'en-GB' })).toMatchObject({ language: 'en' });
  expect(asked).toEqual(['en']);
  heard = 'klingon';
  expect((await transcribed()).language).toBeUndefined();
});

it('a service of one other language takes it for submissions without one', async () => {
  expect(await transcribed({}, german())).toMatchObject({ language: 'de' });
  expect(asked).toEqual(['de']);
});

it('the job of a stream has the language that the server heard', async () => {
  heard = 'de';
  const client = connectStream(service());
  const id = await client.connected;
  client.send(speech.subarray(44));
  client.send('EOS');
  await client.closed;
  const path = `/speechtotext/v1/jobs/${id}`;
  expect(await endOf(service(), path)).toMatchObject({ language: 'de', status: 'transcribed' });
});

it('a job of language identification has what the server heard', async () => {
  heard = 'german';
  const { id } = (await postMedia(service(), '/languageid/v1/jobs', speech)).json();
  expect(await endOf(service(), `/languageid/v1/jobs/${id}`)).toMatchObject({ status: 'completed' });
  const result = (await request(service(), `/languageid/v1/jobs/${id}/result`)).json();
  expect(result).toMatchObject({ top_language: 'de' });
  // Of 2.7 s of speech.
  expect(result.language_confidences[0].confidence).toBeGreaterThan(0.7);
});
