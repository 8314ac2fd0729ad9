import { expect, test } from 'vitest';
import { BOOLEANS, listen, shakeHands, transcriptOf } from '../../helpers/deepgramClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, SPEECH, speechFile } from '../../helpers/keptService.ts';
import { capturedLog } from '../../helpers/observedService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { request, TEST_TOKEN } from '../../helpers/testService.ts';

const recognizer = createScriptedRecognizer();
const log = capturedLog();
const service = keptService({ doors: ['deepgram'], recognizer, logger: log.logger });

test("a live session has results of the vendor's client", async () => {
  const { connection, messages, closed, results } = await listen(service(), {
    interim_results: 'true',
    punctuate: 'true',
  });
  connection.sendMedia(scriptedSpeech(SPEECH));
  connection.sendCloseStream({ type: 'CloseStream' });
  expect((await closed).code).toBe(1000);
  expect(results().map(result => [result.is_final, result.speech_final, transcriptOf(result)])).toEqual([
    [false, false, 'w4'],
    [false, false, 'w4 w7'],
    [true, true, 'W4 w7.'],
    [false, false, 'w9'],
    [true, true, 'W9.'],
  ]);
  const last = results()[2]!;
  expect(last).toMatchObject({ channel_index: [0, 1], start: 0, duration: 0.2, from_finalize: false });
  expect(last.channel.alternatives[0]!.words).toMatchObject([
    { word: 'w4', start: 0, end: 0.1, punctuated_word: 'W4' },
    { word: 'w7', start: 0.1, end: 0.2, punctuated_word: 'w7.' },
  ]);
  expect(last.metadata.model_info.name).toBe(recognizer.name);
  expect(messages.at(-1)).toMatchObject({
    type: 'Metadata',
    request_id: last.metadata.request_id,
    duration: 0.6,
    channels: 1,
  });
});

test('channels are heard apart, each with its words, also when messages cut frames', async () => {
  const { connection, messages, closed, results } = await listen(service(), {
    channels: '2',
    multichannel: 'true',
    interim_results: 'true',
    utterance_end_ms: '100',
    vad_events: 'true',
  });
  const [left, right] = [scriptedSpeech([4, 7, 0, 0, 0, 9]), scriptedSpeech([0, 0, 5, 6, 0, 0])];
  const both = Buffer.from(Int16Array.from([...left].flatMap((sample, at) => [sample, right[at]!])).buffer);
  for (let at = 0; at < both.length; at += 3001) connection.sendMedia(both.subarray(at, at + 3001));
  connection.sendFinalize({ type: 'Finalize' });
  connection.sendCloseStream({ type: 'CloseStream' });
  expect((await closed).code).toBe(1000);
  const finals = (channel: number) =>
    results().filter(({ channel_index: index, is_final: isFinal }) => isFinal && index[0] === channel);
  expect(finals(0).map(transcriptOf)).toEqual(['w4 w7', 'w9']);
  expect(finals(1).map(transcriptOf)).toEqual(['w5 w6']);
  expect(finals(1)[0]).toMatchObject({ channel_index: [1, 2], from_finalize: true });
  expect(messages).toContainEqual({ type: 'SpeechStarted', channel: [1, 2], timestamp: 0.2 });
  expect(messages).toContainEqual({ type: 'UtteranceEnd', channel: [0, 2], last_word_end: 0.2 });
  expect(messages.at(-1)).toMatchObject({ type: 'Metadata', duration: 0.6, channels: 2 });
});

test('finals only, plain without punctuation, unless a client asks for more', async () => {
  const { connection, closed, results } = await listen(service());
  connection.sendMedia(scriptedSpeech(SPEECH));
  connection.sendCloseStream({ type: 'CloseStream' });
  await closed;
  expect(results().map(transcriptOf)).toEqual(['w4 w7', 'w9']);
  expect(results()[0]!.channel.alternatives[0]!.words[0]).not.toHaveProperty('punctuated_word');
});

test('a container needs no encoding, and an empty message ends it', async () => {
  const { connection, closed, results, messages } = await listen(service(), {
    encoding: undefined,
    sample_rate: undefined,
    channels: undefined,
    smart_format: 'true',
  });
  connection.sendMedia(speechFile());
  connection.socket.send(new Uint8Array(0));
  expect((await closed).code).toBe(1000);
  expect(results().map(transcriptOf)).toEqual(['W4 w7.', 'W9.']);
  expect(messages.at(-1)).toMatchObject({ type: 'Metadata', duration: 0.6 });
});

test('Finalize ends the utterance, and the session goes on', async () => {
  const { connection, closed, message, results } = await listen(service(), { interim_results: 'true' });
  connection.sendMedia(scriptedSpeech([4, 7]));
  await message('Results', result => transcriptOf(result) === 'w4 w7');
  connection.sendFinalize({ type: 'Finalize' });
  const final = await message('Results', ({ from_finalize: isRequested }) => isRequested === true);
  expect(final).toMatchObject({ is_final: true, speech_final: true });
  expect(transcriptOf(final)).toBe('w4 w7');
  connection.sendFinalize({ type: 'Finalize' });
  const empty = await message('Results', result => result !== final && result.from_finalize === true);
  expect([transcriptOf(empty), empty.start, empty.duration]).toEqual(['', 0.2, 0]);
  connection.sendMedia(scriptedSpeech([9]));
  connection.sendCloseStream({ type: 'CloseStream' });
  expect((await closed).code).toBe(1000);
  expect(
    results()
      .filter(result => result.is_final)
      .map(transcriptOf),
  ).toEqual(['w4 w7', '', 'w9']);
});

test('beginnings and ends of utterances are reported', async () => {
  const { connection, closed, messages, message } = await listen(service(), {
    interim_results: 'true',
    vad_events: 'true',
    utterance_end_ms: 1000,
  });
  connection.sendMedia(scriptedSpeech([4, 0, 0, 0]));
  expect(await message('SpeechStarted')).toEqual({ type: 'SpeechStarted', channel: [0, 1], timestamp: 0 });
  expect(await message('UtteranceEnd')).toEqual({
    type: 'UtteranceEnd',
    channel: [0, 1],
    last_word_end: 0.1,
  });
  connection.sendMedia(scriptedSpeech([5, 0, 0, 0, 6]));
  connection.sendCloseStream({ type: 'CloseStream' });
  await closed;
  // The pause after the word at 0.4 s is not that long.
  expect(messages).not.toContainEqual(expect.objectContaining({ type: 'UtteranceEnd', last_word_end: 0.5 }));
  expect(messages.filter(({ type }) => type === 'SpeechStarted')).toHaveLength(3);
});

test('phrases, fillers and profanities are options of the session', async () => {
  const { connection, closed } = await listen(service(), {
    keyterm: ['Norland Park', 'Dashwood'] as never,
    keywords: 'Ferrars:2' as never,
    model: 'nova-2',
    language: 'en-US',
  });
  connection.sendCloseStream({ type: 'CloseStream' });
  await closed;
  expect(recognizer.opened.at(-1)).toMatchObject({
    language: 'en',
    phrases: ['Norland Park', 'Dashwood', 'Ferrars'],
  });
});

const QUERY = 'encoding=linear16&sample_rate=16000';
const KEY = { Authorization: `Token ${TEST_TOKEN}` };

test.each(['token', 'bearer'])('a browser gives its key as a protocol after %s', async name => {
  const { socket, answered } = shakeHands(service(), QUERY, { protocols: [name, TEST_TOKEN] });
  expect(await answered).toEqual({ status: 101 });
  expect(socket.protocol).toBe(name);
});

test.each<readonly [string, string]>([
  ['encoding', 'encoding=speex'],
  ['sample_rate', 'encoding=linear16'],
  ['rate', 'encoding=linear16&sample_rate=3'],
  ['channels', `${QUERY}&channels=999`],
  ['multichannel', 'multichannel=true'],
  ['channels', `${QUERY}&channels=0&multichannel=true`],
  ['channels', `${QUERY}&channels=11&multichannel=true`],
  ['channels', `${QUERY}&channels=two`],
  ['sample_rate', 'sample_rate=16k'],
  ['utterance_end_ms', `${QUERY}&utterance_end_ms=1s`],
  ['utterance_end_ms', `${QUERY}&utterance_end_ms=1000&utterance_end_ms=-1`],
  ['endpointing', `${QUERY}&endpointing=soon`],
  ...BOOLEANS.live.map(flag => [flag, `${QUERY}&${flag}=maybe`] as const),
  ['callback', `${QUERY}&callback=http://example.org`],
  ['redact', `${QUERY}&redact=pci`],
  ['language', `${QUERY}&language=tlh`],
])('a handshake is refused for its %s', async (name, query) => {
  const { status, body } = await shakeHands(service(), query, { headers: KEY }).answered;
  expect(status).toBe(400);
  expect(body).toEqual({
    err_code: 'INVALID_QUERY_PARAMETER',
    err_msg: expect.stringContaining(name),
    request_id: expect.any(String),
  });
});

test('values that clients send are taken: in capitals, empty, or as numbers', async () => {
  const query = `${QUERY}&punctuate=True&vad_events=FALSE&diarize=&endpointing=300&utterance_end_ms=`;
  expect(await shakeHands(service(), query, { headers: KEY }).answered).toEqual({ status: 101 });
  const off = `${QUERY}&endpointing=false&channels=1&model=nova-3&tag=a&version=latest`;
  expect(await shakeHands(service(), off, { headers: KEY }).answered).toEqual({ status: 101 });
});

test('the log has the reason why a handshake was refused, as many clients do not show it', async () => {
  await shakeHands(service(), `${QUERY}&redact=pci`, { headers: KEY }).answered;
  const reason = 'redact: is not supported by this service';
  expect(log.lines()).toContainEqual(expect.objectContaining({ msg: 'stream refused', reason }));
});

test.each([undefined, { Authorization: 'Token wrong' }])(
  'a handshake is refused for its key',
  async headers => {
    const { status, body } = await shakeHands(service(), QUERY, { headers }).answered;
    expect([status, body]).toEqual([401, expect.objectContaining({ err_code: 'INVALID_AUTH' })]);
  },
);

test('the job of a client that leaves without CloseStream has all words of its audio', async () => {
  const { connection, message } = await listen(service(), { interim_results: 'true' });
  const audio = scriptedSpeech([4, 7, 9, 8]);
  for (let at = 0; at < audio.length; at += 800) connection.sendMedia(audio.slice(at, at + 800));
  await message('Results');
  connection.close();
  let id = '';
  await eventually(async () => {
    const [job] = (await request(service(), '/speechtotext/v1/jobs?limit=1')).json();
    expect(job).toMatchObject({ type: 'stream', status: 'transcribed', duration_seconds: 0.4 });
    id = job.id;
  });
  const headers = { accept: 'text/plain' };
  const { text } = await request(service(), `/speechtotext/v1/jobs/${id}/transcript`, { headers });
  expect(text).toContain('w4 w7 w9 w8');
});
