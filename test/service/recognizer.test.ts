import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../../src/engines/moonshine/recognizer.ts';
import { scoreWords } from '../../src/replay/score/errorCounts.ts';
import { tinyModel } from '../engines/moonshine/embeddedFiles.ts';
import { dataDirectory, temporaryDirectory } from '../helpers/dataDirectory.ts';
import { inaudibleSpeech } from '../helpers/inaudibleSpeech.ts';
import { endOf, postMedia } from '../helpers/keptService.ts';
import { needsProgram, needsRecognizer } from '../helpers/needs.ts';
import { connectStream, RAW_16K, type StreamClient } from '../helpers/streamClient.ts';
import { request, startTestService } from '../helpers/testService.ts';
import { wav } from '../helpers/wavBytes.ts';

const file = readFileSync(new URL('../../samples/not-ill-disposed.wav', import.meta.url));

const JOBS = '/speechtotext/v1/jobs';
const SAID = 'he was not an ill disposed young man'.split(' ');

async function wordsOf(
  client: StreamClient,
  ...audio: Parameters<StreamClient['finish']>
): Promise<readonly string[]> {
  expect(await client.finish(...audio)).toEqual({ code: 1000, reason: 'End of input. Closing' });
  return client.finalWords().map(word => word.toLowerCase());
}

test('speech becomes words, live and then as a job', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
  await service.ready;

  const wav = connectStream(service, { content_type: 'audio/x-wav', detailed_partials: true });
  const id = await wav.connected;
  const raw = connectStream(service, { content_type: RAW_16K, skip_postprocessing: true });
  const [words, rawWords] = await Promise.all([wordsOf(wav, file, 3200), wordsOf(raw, file.subarray(44))]);
  expect(scoreWords(SAID, words).wer).toBeLessThanOrEqual(0.5);
  expect(rawWords).toEqual(words);
  const partials = wav.messages.filter(({ type }) => type === 'partial');
  expect(partials.length).toBeGreaterThan(0);
  for (const { elements } of partials) {
    for (const { ts, end_ts, confidence } of elements) {
      expect(ts).toBeLessThan(end_ts!);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  }
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
  const recording = (await postMedia(service, JOBS, file)).json();
  const recorded = await endOf(service, `${JOBS}/${recording.id}`);
  expect(recorded).toMatchObject({ status: 'transcribed', type: 'async', name: 'speech.wav' });
});

test('speech that nobody understands is inaudible, live and in a job, where it lasts 2 s', {
  tags: 'tools',
}, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
  const live = async (audio: Uint8Array) => {
    const client = connectStream(service, { content_type: 'audio/wav' });
    const id = await client.connected;
    await client.finish(audio, 32_000);
    return { id, finals: client.finals() };
  };
  const recorded = async (audio: Uint8Array) => {
    const { id } = (await postMedia(service, JOBS, audio)).json();
    expect((await endOf(service, `${JOBS}/${id}`)).status).toBe('transcribed');
    return id;
  };
  const transcript = (id: string, accept: string) =>
    request(service, `${JOBS}/${id}/transcript`, { headers: { accept } });
  const audio = wav(new Uint8Array(inaudibleSpeech().buffer));
  const { id, finals } = await live(audio);
  expect(finals.map(({ elements }) => elements[0]!.type)).toEqual(['text', 'unknown', 'text']);
  expect(finals[1]!.ts).toBeGreaterThan(3);
  expect(finals[1]!.end_ts - finals[1]!.ts).toBeGreaterThan(6);
  for (const each of [id, await recorded(audio)]) {
    expect((await transcript(each, 'text/plain')).text).toMatch(/ man\. \[inaudible\] He .*man\.\n$/);
    const { monologues } = (await transcript(each, 'application/vnd.svc.transcript.v1.0+json')).json();
    expect(monologues[0].elements).toContainEqual({ type: 'unknown', value: '<inaudible>' });
  }
  const short = wav(new Uint8Array(inaudibleSpeech(1.8).buffer));
  const { finals: words } = await live(short);
  expect(words.flatMap(({ elements }) => elements).filter(({ type }) => type === 'unknown')).toEqual([]);
});

test('hesitations are left out, live and of a recording', { tags: 'tools' }, async context => {
  await needsRecognizer(context);
  needsProgram(context, 'espeak-ng');
  const path = join(await temporaryDirectory(), 'voice.wav');
  const text = 'Um. Well. Uh. The report is um finished and er we can send it. Hmm.';
  execFileSync('espeak-ng', ['-v', 'en-us', '-s', '130', '-w', path, text]);
  const voice = readFileSync(path);
  await using recognizer = createMoonshineRecognizer({ maxSessions: 2 });
  const service = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
  const live = async (remove_disfluencies?: boolean) => {
    const client = connectStream(service, { content_type: 'audio/wav', remove_disfluencies });
    return wordsOf(client, voice, 3200);
  };
  const recorded = async (remove_disfluencies?: boolean) => {
    const { id } = (await postMedia(service, JOBS, voice, { remove_disfluencies })).json();
    expect((await endOf(service, `${JOBS}/${id}`)).status).toBe('transcribed');
    const headers = { accept: 'text/plain' };
    const { text } = await request(service, `${JOBS}/${id}/transcript`, { headers });
    return text.toLowerCase().match(/[a-z]+/g)!;
  };
  const hesitations = ['um', 'uh', 'er', 'hmm'];
  for (const heard of [live, recorded]) {
    expect((await heard()).some(word => hesitations.includes(word))).toBe(true);
    const words = await heard(true);
    expect(words).toContain('report');
    expect(words.filter(word => hesitations.includes(word))).toEqual([]);
  }
});

test('a phrase that is misheard is heard with a vocabulary, and written as it has it', {
  tags: 'tools',
}, async context => {
  await needsRecognizer(context);
  await using recognizer = createMoonshineRecognizer({ model: await tinyModel(), maxSessions: 2 });
  const service = await startTestService({ recognizer });
  const text = async (custom_vocabularies?: string) => {
    const client = connectStream(service, { content_type: 'audio/x-wav', custom_vocabularies });
    await client.finish(file);
    return client.finalWords().join(' ');
  };
  const phrase = 'Ill-Disposed';
  expect((await text()).toLowerCase()).not.toMatch(/ill.disposed/);
  expect(await text(JSON.stringify([{ phrases: [phrase] }]))).toBe(`He was not an ${phrase} young man`);
});
