import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { liveOptions } from '../../../src/service/doors/deepgram/listenOptions.ts';
import { Voice } from '../../../src/service/doors/deepgram/voice.ts';
import { spokenOnly } from '../../../src/service/doors/spokenOnly.ts';
import type { TranscriptElement } from '../../../src/transcript/model/model.ts';

const QUERY =
  'encoding=linear16&sample_rate=16000&interim_results=true&utterance_end_ms=1000&vad_events=true';

/** A session whose audio is heard as it is spoken. */
function heardVoice(query = QUERY) {
  const clock = new VirtualClock();
  const posted: object[] = [];
  const voice = new Voice({
    options: liveOptions(new URLSearchParams(query), { customVocabulary: true }),
    requestId: 'request',
    channel: [0, 1],
    model: 'model',
    clock,
    heardSeconds: () => clock.now() / 1000,
    post: message => void posted.push(message),
  });
  const types = () => posted.map(message => (message as { readonly type: string }).type);
  return { clock, voice, types };
}

const word = (value: string, ts: number): TranscriptElement => ({ type: 'text', value, ts, endTs: ts + 0.2 });

test('noise that is taken back as no speech does not hide the end of an utterance, nor the next beginning', async () => {
  const { clock, voice, types } = heardVoice();
  await clock.advance(1200);
  voice.take({ type: 'final', ts: 0, endTs: 1, elements: [word('hello', 0.8)] });
  voice.take({ type: 'partial', ts: 1.1, endTs: 1.2, elements: [word('a', 1.1) as never] });
  voice.take({ type: 'partial', ts: 1.2, endTs: 1.2, elements: [] });
  await clock.advance(900);
  expect(types()).toEqual([
    'SpeechStarted',
    'Results',
    'SpeechStarted',
    'Results',
    'Results',
    'UtteranceEnd',
  ]);
  voice.take({ type: 'partial', ts: 4, endTs: 4.2, elements: [word('next', 4) as never] });
  expect(types().slice(6)).toEqual(['SpeechStarted', 'Results']);
  voice.close();
});

test('speech that nobody understands is no text, and ends no utterance', async () => {
  const { clock, voice, types } = heardVoice();
  await clock.advance(1200);
  voice.take({ type: 'final', ts: 0, endTs: 1, elements: [word('hello', 0.8)] });
  voice.take({ type: 'final', ts: 1, endTs: 1.2, elements: [{ type: 'unknown', value: '<inaudible>' }] });
  await clock.advance(900);
  expect(types()).toEqual(['SpeechStarted', 'Results', 'Results', 'UtteranceEnd']);
});

test('without speech that nobody understands, words are one space apart', () => {
  const space = { type: 'punct', value: ' ' } as const;
  const unknown = { type: 'unknown', value: '<inaudible>' } as const;
  const [one, two] = [word('one', 0), word('two', 1)];
  expect(spokenOnly([unknown, space, one, space, unknown, space, two])).toEqual([one, space, two]);
});

test.each([
  ['without utterance_end_ms', QUERY.replace('&utterance_end_ms=1000', '')],
  ['with a value of 0', QUERY.replace('1000', '0')],
  ['without interim_results', QUERY.replace('&interim_results=true', '')],
])('no end of an utterance is reported %s', async (_, query) => {
  const { clock, voice, types } = heardVoice(query);
  voice.take({ type: 'final', ts: 0, endTs: 1, elements: [word('hello', 0.8)] });
  await clock.advance(60_000);
  voice.take({ type: 'final', ts: 4, endTs: 5, elements: [word('there', 4)] });
  await clock.advance(60_000);
  voice.close();
  expect(types()).toEqual(['SpeechStarted', 'Results', 'SpeechStarted', 'Results']);
});
