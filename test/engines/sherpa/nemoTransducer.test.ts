import { describe, expect, it, onTestFinished } from 'vitest';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear } from '../recognizerContract.ts';
import { NEMO_TOKENS, nemoDecoder, nemoEncoder, nemoJoiner } from './nemoTransducerModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';

const speech = joined(silence(0.3), toneSpeech(['▁al', 'pha'], ['▁be', 'ta']), silence(0.8));
/** The second is not heard in it. */
const IN_BOTH_CASES: Readonly<Record<string, string>> = { '▁al': '▁Al', lu: '▁al' };

async function create(...[kind, files]: Parameters<typeof toneModelDirectory>) {
  const model = await toneModelDirectory(kind, files);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const recognizer = createSherpaRecognizer({ model });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

describe('a transducer of NeMo', { timeout: 120_000 }, () => {
  it('has no use for phrases when it is a streaming one, and is not sure of words', async () => {
    const recognizer = await create('online-nemo-transducer', { tokens: tokensText(NEMO_TOKENS) });
    expect(recognizer.capabilities).toMatchObject({
      partials: true,
      confidences: false,
      customVocabulary: false,
    });
    const [fault] = await recognizer.inspectPhrases(['alfa']);
    expect(fault!.reason).toMatch(/online-nemo-transducer do not heed phrases/);
  });

  it.each([
    ['in lower case', NEMO_TOKENS],
    ['in the case that is heard', NEMO_TOKENS.map(token => IN_BOTH_CASES[token] ?? token)],
  ])('hears a name that it would not, where a phrase has it: %s', async (_, tokens) => {
    const recognizer = await create('offline-nemo-transducer', {
      encoder: onnxModel(nemoEncoder()),
      decoder: onnxModel(nemoDecoder()),
      joiner: onnxModel(nemoJoiner()),
      tokens: tokensText(tokens),
    });
    const textOf = async (phrases: readonly string[]) => {
      const [final] = (await hear(recognizer, speech, { phrases })).filter(({ type }) => type === 'final');
      return final!.words.map(({ value }) => value).join(' ');
    };
    expect(await textOf([])).toBe('alpha beta');
    expect(await recognizer.inspectPhrases(['Alfa'])).toEqual([]);
    expect(await textOf(['Alfa'])).toBe('alfa beta');
  });
});
