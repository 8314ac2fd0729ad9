import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../../src/engines/moonshine/recognizer.ts';
import { scoreWords } from '../../src/replay/score/scoreWords.ts';
import { dataDirectory } from '../helpers/dataDirectory.ts';
import { needsRecognizer } from '../helpers/needs.ts';
import { connectStream, RAW_16K, type StreamClient } from '../helpers/streamClient.ts';
import { request, startTestService } from '../helpers/testService.ts';

const file = readFileSync(new URL('../../samples/not-ill-disposed.wav', import.meta.url));

const SAID = 'he was not an ill disposed young man'.split(' ');

async function wordsOf(client: StreamClient): Promise<readonly string[]> {
  expect(await client.closed).toEqual({ code: 1000, reason: 'End of input. Closing' });
  return client.finalWords().map(word => word.toLowerCase());
}

test('speech becomes words, live and then as a job', async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
  await service.ready;

  const wav = connectStream(service, { content_type: 'audio/x-wav', detailed_partials: true });
  const id = await wav.connected;
  for (let at = 0; at < file.length; at += 3200) wav.send(file.subarray(at, at + 3200));
  wav.send('EOS');
  const raw = connectStream(service, { content_type: RAW_16K, skip_postprocessing: true });
  await raw.opened;
  raw.send(file.subarray(44));
  raw.send('EOS');

  const words = await wordsOf(wav);
  expect(scoreWords(SAID, words).wer).toBeLessThanOrEqual(0.5);
  expect(await wordsOf(raw)).toEqual(words);
  const partials = wav.messages.filter(({ type }) => type === 'partial');
  expect(partials.length).toBeGreaterThan(0);
  for (const { ts, end_ts, elements } of wav.finals()) {
    expect(ts).toBeLessThan(end_ts);
    const first = elements[0]!;
    expect(first.value).toMatch(/^[A-Z]/);
    expect(first.confidence).toBeGreaterThan(0);
    expect(elements.at(-1)).toEqual({ type: 'punct', value: '.' });
  }
  const job = (await request(service, `/speechtotext/v1/jobs/${id}`)).json();
  expect(job).toMatchObject({ status: 'transcribed', type: 'stream' });
  expect(job.duration_seconds).toBeCloseTo((file.length - 44) / 32_000, 2);
  const { text } = await request(service, `/speechtotext/v1/jobs/${id}/transcript`, {
    headers: { accept: 'text/plain' },
  });
  expect(text).toMatch(/^Speaker 0 {4}00:00:00 {4}[A-Z].*\.\n$/);
});

test('a phrase that is misheard is heard with a vocabulary, and written as it has it', async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const service = await startTestService({ recognizer });
  const text = async (custom_vocabularies?: string) => {
    const client = connectStream(service, { content_type: 'audio/x-wav', custom_vocabularies });
    await client.connected;
    client.send(file);
    client.send('EOS');
    await client.closed;
    return client.finalWords().join(' ');
  };
  const phrase = 'Ill-Disposed';
  expect((await text()).toLowerCase()).not.toMatch(/ill.disposed/);
  expect(await text(JSON.stringify([{ phrases: [phrase] }]))).toBe(`He was not an ${phrase} young man`);
});
