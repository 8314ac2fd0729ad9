import { describe, expect, test } from 'vitest';
import type { Punctuator } from '../../../src/engines/punctuator.ts';
import { endOf, keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { plainPunctuator } from '../../helpers/plainPunctuator.ts';
import { createSayingRecognizer } from '../../helpers/sayingRecognizer.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectStream, type WireMessage } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const recognizer = createSayingRecognizer([
  ...['um', 'we', 'paid', 'twenty', 'dollars', 'for', 'this', 'shit', 'yes'],
]);
/** A diarizer with two speakers. */
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 109];
const JOBS = '/speechtotext/v1/jobs';
const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';

const service = keptService({
  recognizer,
  diarizer: createScriptedDiarizer(),
  // Polls as fast as possible.
  limits: { account: { requestsPerSecond: 1e6, requestBurst: 1e6 } },
});
const textIn = (elements: WireMessage['elements']) => elements.map(({ value }) => value).join('');

async function transcript(path: string): Promise<readonly (readonly [number, WireMessage['elements']])[]> {
  expect((await endOf(service(), path)).status).toBe('transcribed');
  const { json } = await request(service(), `${path}/transcript`, { headers: { accept: JSON_TYPE } });
  return json().monologues.map(({ speaker, elements }: { speaker: number; elements: [] }) => [
    speaker,
    elements,
  ]);
}

describe('the text of a job follows its options', () => {
  test.each([
    [{}, ['Um we paid $20 for this shit.', 'Yes.']],
    [{ skip_postprocessing: true }, ['um we paid twenty dollars for this shit', 'yes']],
    [{ skip_punctuation: true }, ['Umwepaid$20forthisshit', 'Yes']],
    [{ filter_profanity: true }, ['Um we paid $20 for this s**t.', 'Yes.']],
    [{ remove_disfluencies: true }, ['We paid $20 for this shit.', 'Yes.']],
    [{ skip_diarization: true }, ['Um we paid $20 for this shit. Yes.']],
    [
      {
        ...{ skip_postprocessing: true, skip_punctuation: true, filter_profanity: true },
        ...{ remove_disfluencies: true, skip_diarization: true },
      },
      ['wepaidtwentydollarsforthiss**tyes'],
    ],
  ])('%j', async (options, texts) => {
    const submitted = await postMedia(service(), JOBS, speechFile(LEVELS), options);
    const job = submitted.json();
    expect(job).toMatchObject(options);
    const turns = await transcript(`${JOBS}/${job.id}`);
    expect(turns.map(([, elements]) => textIn(elements))).toEqual(texts);
    expect(turns.map(([speaker]) => speaker)).toEqual([...texts.keys()]);
  });
});

describe('the text of a stream follows its options', () => {
  test.each([
    [{}, 'Um we paid $20 for this shit. Yes.', 'um we paid twenty dollars for this shit'],
    [
      { skip_postprocessing: true },
      'um we paid twenty dollars for this shit yes',
      'um we paid twenty dollars for this shit',
    ],
    [
      { filter_profanity: true },
      'Um we paid $20 for this s**t. Yes.',
      'um we paid twenty dollars for this s**t',
    ],
    [
      { remove_disfluencies: true },
      'We paid $20 for this shit. Yes.',
      'we paid twenty dollars for this shit',
    ],
  ])('%j', async (query, text, words) => {
    const client = connectStream(service(), query);
    expect((await client.finish(scriptedSpeech(LEVELS))).code).toBe(1000);
    expect(
      client
        .finals()
        .map(({ elements }) => textIn(elements))
        .join(' '),
    ).toBe(text);
    const partials = client.messages.filter(({ type }) => type === 'partial');
    expect(partials.map(({ elements }) => elements.map(({ value }) => value).join(' '))).toContain(words);
    const turns = await transcript(`${JOBS}/${await client.connected}`);
    expect(turns.map(([, elements]) => textIn(elements))).toEqual([text]);
  });
});

describe('a punctuator of a service', () => {
  test('that is slow neither reorders events nor loses the last ones', async () => {
    const gates: (() => void)[] = [];
    const punctuator: Punctuator = {
      ...plainPunctuator,
      async punctuate(said) {
        await new Promise<void>(resolve => gates.push(resolve));
        return plainPunctuator.punctuate(said);
      },
    };
    const client = connectStream(await startTestService({ recognizer, punctuator }));
    await client.opened;
    client.send(scriptedSpeech(LEVELS));
    client.send('EOS');
    for (let final = 0; final < 2; final++) {
      await expect.poll(() => gates.length).toBe(final + 1);
      expect(client.finals()).toHaveLength(final);
      gates[final]!();
    }
    expect((await client.closed).code).toBe(1000);
    const types = client.messages.map(({ type }) => type);
    expect(types).toEqual(['connected', ...new Array(8).fill('partial'), 'final', 'partial', 'final']);
    expect(client.finalWords().join(' ')).toBe('Um we paid $20 for this shit Yes');
  });

  test('that fails loses no word of a stream', async () => {
    const punctuator = { ...plainPunctuator, punctuate: () => Promise.reject(new Error('broken')) };
    const client = connectStream(await startTestService({ recognizer, punctuator }));
    expect((await client.finish(scriptedSpeech(LEVELS))).code).toBe(1000);
    expect(client.finals().map(({ elements }) => textIn(elements))).toEqual([
      'Um we paid $20 for this shit.',
      'Yes.',
    ]);
  });
});
