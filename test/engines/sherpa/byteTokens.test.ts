import { describe, expect, it } from 'vitest';
import { areBytes, textsOfBytes } from '../../../src/engines/sherpa/byteTokens.ts';
import { wordsOfTokens } from '../../../src/engines/sherpa/tokenWords.ts';

/** 你 is E4 BD A0, 好 is E5 A5 BD. */
const NI = ['▁ƋţŅ'];
const HAO = ['▁ƌ', 'ŋţ'];

describe('tokens of bytes', () => {
  it('are told from letters, also from those of languages whose letters are in the alphabet', () => {
    expect(areBytes([...NI, ...HAO, '▁hel', 'lo'])).toBe(true);
    expect(areBytes(['▁hel', 'lo', 'A'])).toBe(false);
    expect(areBytes([...'▁aābcčdeēfgģhiījkķlļmnņoprsštuūvzž'])).toBe(false);
    expect(areBytes(['▁Şə', 'ö', 'Ə'])).toBe(false);
    expect(areBytes(['你', '好', '▁hello'])).toBe(false);
  });

  it('say characters, each at the token where it begins', () => {
    expect(textsOfBytes([...NI, ...HAO, '▁hel', 'lo', '<unk>'])).toEqual([
      ...['▁你', '▁好', ''],
      ...['▁hel', 'lo', '<unk>'],
    ]);
  });

  it('say nothing of a character that is not whole', () => {
    expect(textsOfBytes([...NI, '▁ƌ'])).toEqual(['▁你', '▁']);
    expect(textsOfBytes(['ŋţ', ...NI])).toEqual(['', '▁你']);
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
