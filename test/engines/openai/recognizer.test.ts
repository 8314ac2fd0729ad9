// @module-tag tools

import { describe, expect, it } from 'vitest';
import { findRecognizer } from '../../../src/cli/local/recognizer.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { createOpenAiRecognizer } from '../../../src/engines/openai/recognizer.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { keptService } from '../../helpers/keptService.ts';
import { quantile } from '../../helpers/quantile.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';
import { recognizerContract } from '../recognizerContract.ts';

const { found } = await findRecognizer(process.env);
const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');

const direct = createMoonshineRecognizer({ processes: 1 });
/** The server: our own service, with the recogniser that comes with it. */
const back = keptService({
  recognizer: direct,
  doors: ['openai'],
  limits: { guesses: { perSecond: 1000, burst: 1000 } },
});
const front = (options = {}) =>
  createOpenAiRecognizer({ url: `${back().url}/v1`, key: TEST_TOKEN, maxSessions: 2, ...options });

recognizerContract('A server with the interface of OpenAI', {
  create: () => front(),
  speech: () => joined(sentence.subarray(0, 24_000), silence(0.8), sentence),
  phrases: { usable: ['ill-disposed', 'Kubernetes', 'C++ 17'], unusable: 'x'.repeat(101) },
  partialsByClock: true,
  ...(!found && { missing: 'needs the speech model: npm run setup' }),
});

describe('a server with the interface of OpenAI', () => {
  it.runIf(found)('has the words, marks and times of the engine behind it', async () => {
    await using recognizer = front();
    const words = (finals: readonly RecognizerResult[]) => finals.flatMap(final => final.words);
    const [there, here] = [
      words(await recognizer.recognize([reading])),
      words(await direct.recognize([reading])),
    ];
    expect(there.map(({ value }) => value)).toEqual(here.map(({ value }) => value));
    const plain = (written = '') => written.replace(/[.,]$/, '');
    expect(there.map(({ written }) => plain(written))).toEqual(here.map(({ written }) => plain(written)));
    const apart = there.map(
      ({ startFrame }, index) => Math.abs(startFrame - here[index]!.startFrame) / 16_000,
    );
    expect(quantile(apart, 0.5)).toBeLessThan(0.025);
    // The first word of an utterance begins where the server hears it.
    expect(quantile(apart, 0.9)).toBeLessThan(0.1);
  });
});
