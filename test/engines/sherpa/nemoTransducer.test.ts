import { describe, expect, it, onTestFinished } from 'vitest';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear } from '../recognizerContract.ts';
import {
  NEMO_TOKENS,
  nemoDecoder,
  nemoEncoder,
  nemoJoiner,
  nemoStreamingEncoder,
} from './nemoTransducerModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';

const speech = joined(silence(0.3), toneSpeech(['▁al', 'pha'], ['▁be', 'ta']), silence(0.8));
/** The second is not heard in it. */
const IN_BOTH_CASES: Readonly<Record<string, string>> = { '▁al': '▁Al', lu: '▁al' };

const files = {
  decoder: onnxModel(nemoDecoder()),
  joiner: onnxModel(nemoJoiner()),
  tokens: tokensText(NEMO_TOKENS),
};

async function create(...[kind, files]: Parameters<typeof toneModelDirectory>) {
  const model = await toneModelDirectory(kind, files);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const recognizer = createSherpaRecognizer({ model });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

async function textOf(recognizer: Recognizer, phrases: readonly string[]): Promise<string> {
  const [final] = (await hear(recognizer, speech, { phrases })).filter(({ type }) => type === 'final');
  return final!.words.map(({ value }) => value).join(' ');
}

describe('a transducer of NeMo', { timeout: 120_000 }, () => {
  it('supports no phrases when it streams, and gives no confidences', async () => {
    const encoder = onnxModel(nemoStreamingEncoder());
    const recognizer = await create('online-nemo-transducer', { ...files, encoder });
    expect(recognizer.capabilities).toMatchObject({
      partials: true,
      confidences: false,
      customVocabulary: false,
    });
    const [fault] = await recognizer.inspectPhrases(['alfa']);
    expect(fault!.reason).toMatch(/'online-nemo-transducer' do not support phrases/);
    expect(await textOf(recognizer, ['alfa'])).toBe('alpha beta');
  });

  it.each([
    ['in lower case', NEMO_TOKENS],
    ['in the case that is heard', NEMO_TOKENS.map(token => IN_BOTH_CASES[token] ?? token)],
  ])('recognises a name with a phrase that it misses without: %s', async (_, tokens) => {
    const recognizer = await create('offline-nemo-transducer', {
      ...files,
      encoder: onnxModel(nemoEncoder()),
      tokens: tokensText(tokens),
    });
    expect(await textOf(recognizer, [])).toBe('alpha beta');
    expect(await recognizer.inspectPhrases(['Alfa'])).toEqual([]);
    expect(await textOf(recognizer, ['Alfa'])).toBe('alfa beta');
  });
});
