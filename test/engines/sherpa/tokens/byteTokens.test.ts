import { describe, expect, it, onTestFinished } from 'vitest';
import { createSherpaRecognizer } from '../../../../src/engines/sherpa/recognizer.ts';
import { areBytes, textsOfBytes } from '../../../../src/engines/sherpa/tokens/byteTokens.ts';
import { wordsOfTokens } from '../../../../src/engines/sherpa/tokens/tokenWords.ts';
import { onnxModel } from '../../../helpers/onnxModel.ts';
import { joined, silence } from '../../../helpers/sampleSpeech.ts';
import { onlineCtcModel, tokensText, toneSpeech } from '../../../helpers/toneModels.ts';
import { offlineCtcModel } from '../offlineCtcModel.ts';
import { toneModelDirectory } from '../toneModelDirectory.ts';

/** 你 is E4 BD A0, 好 is E5 A5 BD. */
const NI = ['▁ƋţŅ'];
const HAO = ['▁ƌ', 'ŋţ'];

describe('tokens of bytes', { timeout: 120_000 }, () => {
  it('are distinguished from letters, also in languages whose letters are in the alphabet', () => {
    expect(areBytes([...NI, ...HAO, '▁hel', 'lo'])).toBe(true);
    expect(areBytes(['▁hel', 'lo', 'A'])).toBe(false);
    expect(areBytes([...'▁aābcčdeēfgģhiījkķlļmnņoprsštuūvzž'])).toBe(false);
    expect(areBytes(['▁Şə', 'ö', 'Ə'])).toBe(false);
    expect(areBytes(['你', '好', '▁hello'])).toBe(false);
  });

  it('give characters, each at the token where it begins', () => {
    expect(textsOfBytes([...NI, ...HAO, '▁hel', 'lo', '<unk>'])).toEqual([
      ...['▁你', '▁好', ''],
      ...['▁hel', 'lo', '<unk>'],
    ]);
  });

  it('give nothing for an incomplete character', () => {
    expect(textsOfBytes([...NI, '▁ƌ'])).toEqual(['▁你', '▁']);
    expect(textsOfBytes(['ŋţ', ...NI])).toEqual(['', '▁你']);
  });

  it.each([
    ['streaming', 'online-nemo-ctc', onnxModel(onlineCtcModel())],
    ['of whole utterances', 'offline-nemo-ctc', onnxModel(offlineCtcModel())],
  ] as const)('are recognised as words: %s', async (_, kind, bytes) => {
    const tokens = tokensText(['<blk>', ...NI, '▁a', ...HAO, '▁hel', 'lo']);
    const model = await toneModelDirectory(kind, { model: bytes, tokens });
    onTestFinished(() => model[Symbol.asyncDispose]());
    const recognizer = createSherpaRecognizer({ model });
    onTestFinished(() => recognizer.close());
    const said = toneSpeech(['▁al', 'pha'], ['▁be', 'ta'], ['▁zu', 'lu']);
    const [final] = await recognizer.recognize([joined(silence(0.5), said, silence(1))]);
    expect(final!.words.map(word => word.value)).toEqual(['你', 'a', '好', 'hello']);
  });

  it('do not spell phrases, which is reported', async () => {
    const tokens = tokensText([...NI, ...HAO, '▁hel', 'lo']);
    const model = await toneModelDirectory('online-transducer', { tokens });
    onTestFinished(() => model[Symbol.asyncDispose]());
    const recognizer = createSherpaRecognizer({ model });
    onTestFinished(() => recognizer.close());
    const [fault] = await recognizer.inspectPhrases(['hello']);
    expect(fault!.reason).toMatch(/bytes/);
  });

  it('become words', () => {
    const tokens = textsOfBytes([...NI, ...HAO, '▁hel', 'lo']);
    const timestamps = tokens.map((_, index) => index * 0.1);
    const words = wordsOfTokens({ tokens, timestamps, startFrame: 0, endFrame: 16_000 });
    expect(words.map(({ value, startFrame }) => [value, startFrame / 16_000])).toEqual([
      ['你', 0],
      ['好', 0.1],
      ['hello', 0.3],
    ]);
  });
});
