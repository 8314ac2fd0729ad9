import { expect, onTestFinished, test } from 'vitest';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { tokensText } from '../../helpers/toneModels.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';
import { TRANSDUCER_TOKENS } from './transducerModel.ts';

test('a streaming transducer of NeMo has no use for phrases and is not sure of words', async () => {
  const model = await toneModelDirectory('online-nemo-transducer', { tokens: tokensText(TRANSDUCER_TOKENS) });
  onTestFinished(() => model[Symbol.asyncDispose]());
  const recognizer = createSherpaRecognizer({ model });
  onTestFinished(() => recognizer.close());
  expect(recognizer.capabilities).toMatchObject({
    partials: true,
    confidences: false,
    customVocabulary: false,
  });
  const [fault] = await recognizer.inspectPhrases(['alfa']);
  expect(fault!.reason).toMatch(/online-nemo-transducer do not heed phrases/);
});
