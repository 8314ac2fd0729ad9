import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import {
  onlineParaformerDecoder,
  onlineParaformerEncoder,
  PARAFORMER_TOKENS,
} from './onlineParaformerModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';

const RATE = 16_000;
const model = await toneModelDirectory('online-paraformer', {
  encoder: onnxModel(onlineParaformerEncoder()),
  decoder: onnxModel(onlineParaformerDecoder()),
  tokens: tokensText(PARAFORMER_TOKENS),
});
afterAll(() => model[Symbol.asyncDispose]());

const words = ['▁al', '▁be', '▁zu', '▁al', '▁be', '▁zu'].map(token => [token, 'pha']);
const sentence = toneSpeech(...words);
const PAUSE_SECONDS = 3;

async function hear(audio: Int16Array, maxSegmentSeconds?: number): Promise<readonly RecognizerResult[]> {
  const recognizer = createSherpaRecognizer({ model });
  onTestFinished(() => recognizer.close());
  return recognizer.recognize([audio], { maxSegmentSeconds });
}

describe('a streaming Paraformer', { timeout: 120_000 }, () => {
  it('has the words of each utterance in its place, without times of the model', async () => {
    const pause = silence(PAUSE_SECONDS);
    const finals = await hear(joined(silence(1), sentence, pause, sentence, pause, sentence, pause));
    expect(finals).toHaveLength(3);
    for (const [index, { startFrame, endFrame }] of finals.entries()) {
      const start = 1 + index * (sentence.length / RATE + PAUSE_SECONDS);
      // It hears 0.6 s at once.
      expect(startFrame / RATE).toBeGreaterThan(start - 0.7);
      expect(startFrame / RATE).toBeLessThan(start + 0.7);
      expect(endFrame / RATE).toBeLessThan(start + sentence.length / RATE + PAUSE_SECONDS);
    }
  });

  it('continues after a cut with the next words', async () => {
    const slowly = joined(...words.flatMap(word => [toneSpeech(word), silence(0.35)]));
    const long = joined(sentence, sentence, slowly);
    const whole = await hear(joined(silence(1), long, silence(2)));
    const cut = await hear(joined(silence(1), long, silence(2)), 2);
    const count = (finals: readonly RecognizerResult[]) =>
      finals.reduce((sum, final) => sum + final.words.length, 0);
    expect(count(whole)).toBeGreaterThan(10);
    expect(cut.length).toBeGreaterThan(3);
    // A token that is half heard at a cut may be lost.
    expect(count(cut)).toBeGreaterThanOrEqual(count(whole) - cut.length);
    expect(count(cut)).toBeLessThanOrEqual(count(whole));
    for (const { startFrame, endFrame } of cut) expect(endFrame - startFrame).toBeLessThan(3 * RATE);
  });

  it('returns words, one for each token', async () => {
    const [final] = await hear(joined(silence(1), sentence, silence(2)));
    expect(new Set(final!.words.map(({ value }) => value))).toEqual(new Set(['alpha']));
  });
});
