import { describe, expect, it } from 'vitest';
import { plainWord, type TokenRun, wordsOfTokens } from '../../../../src/engines/sherpa/tokens/tokenWords.ts';

const RATE = 16_000;
const values = (tokens: readonly string[], rest: Partial<TokenRun> = {}) =>
  words(tokens, rest).map(word => word.value);

function words(tokens: readonly string[], rest: Partial<TokenRun> = {}) {
  const timestamps = tokens.map((_, index) => index * 0.1);
  return wordsOfTokens({ tokens, timestamps, startFrame: 0, endFrame: 10 * RATE, ...rest });
}

describe('words of tokens', () => {
  it('begin at a piece with a mark or a space before it', () => {
    expect(values(['▁al', 'pha', '▁be', 'ta'])).toEqual(['alpha', 'beta']);
    expect(values([' al', 'pha', ' be', 'ta'])).toEqual(['alpha', 'beta']);
    expect(values(['▁', 'al', 'pha', ' ', 'beta'])).toEqual(['alpha', 'beta']);
  });

  it('continue after a piece that ends in @@, and only there, when a model writes so', () => {
    const joinsByMark = true;
    expect(values(['al@@', 'pha', 'and', 'be@@', 'ta'], { joinsByMark })).toEqual(['alpha', 'and', 'beta']);
    expect(values(['hello', 'world', '你', '好'], { joinsByMark })).toEqual(['hello', 'world', '你', '好']);
  });

  it('are single characters in scripts without spaces, beside others', () => {
    expect(values(['你', '好', '▁hel', 'lo', '世'])).toEqual(['你', '好', 'hello', '世']);
    expect(values(['か', 'タ'])).toEqual(['か', 'タ']);
    expect(values(['▁世界', 'のabc', '▁def'])).toEqual(['世', '界', 'の', 'abc', 'def']);
  });

  it('have their bytes joined to characters', () => {
    const bytesOf = (text: string) =>
      [...Buffer.from(text)].map(byte => `<0x${byte.toString(16).toUpperCase()}>`);
    const bytes = bytesOf('é');
    expect(values(['▁caf', ...bytes, '▁bar'])).toEqual(['café', 'bar']);
    expect(values(['▁caf', bytes[0]!])).toEqual(['caf']);
    const starts = words(bytesOf('世界')).map(({ value, startFrame }) => [value, startFrame / RATE]);
    expect(starts).toEqual([
      ['世', 0],
      ['界', 0.3],
    ]);
  });

  it('are plain: without languages, moods, marks and capitals', () => {
    expect(values(['<|en|>', '▁Hello', ',', '▁O’Neil', '.', '▁-', '<unk>'])).toEqual(['hello', "o'neil"]);
    expect(plainWord('“100%”')).toBe('100%');
  });

  it('last until the next begins, up to a limit', () => {
    const [alpha, beta] = wordsOfTokens({
      ...{ tokens: ['▁al', 'pha', '▁beta'], timestamps: [0.5, 0.6, 0.7] },
      ...{ startFrame: RATE, endFrame: 10 * RATE },
    });
    expect(alpha).toEqual({ value: 'alpha', startFrame: 1.5 * RATE, endFrame: 1.7 * RATE });
    expect(beta).toEqual({ value: 'beta', startFrame: 1.7 * RATE, endFrame: 2 * RATE });
  });

  it("end at the model's times", () => {
    const [word] = wordsOfTokens({
      ...{ tokens: ['▁al', 'pha'], timestamps: [0, 0.1], durations: [0.1, 0.5] },
      ...{ startFrame: 0, endFrame: 10 * RATE },
    });
    expect(word!.endFrame).toBe(0.6 * RATE);
  });

  it('have some duration, in order within the audio, when tokens coincide or are late', () => {
    const all = wordsOfTokens({
      ...{ tokens: ['▁a', '▁b', '▁c'], timestamps: [0.99, 0.99, 1.2] },
      ...{ startFrame: 0, endFrame: RATE },
    });
    let ended = 0;
    for (const { startFrame, endFrame } of all) {
      expect(startFrame).toBeGreaterThanOrEqual(ended);
      expect(endFrame).toBeGreaterThan(startFrame);
      ended = endFrame;
    }
    expect(ended).toBe(RATE);
  });

  it('are spread over the audio by length when a model gives no times', () => {
    const [short, long] = wordsOfTokens({
      ...{ tokens: ['▁a', '▁abcdefg'], timestamps: [] },
      ...{ startFrame: RATE, endFrame: 2 * RATE },
    });
    expect(short).toEqual({ value: 'a', startFrame: RATE, endFrame: 1.2 * RATE });
    expect(long).toEqual({ value: 'abcdefg', startFrame: 1.2 * RATE, endFrame: 2 * RATE });
  });

  it('have the mean confidence of their tokens, or none without probabilities', () => {
    const [both, one] = words(['▁al', 'pha', '▁beta'], {
      logProbabilities: [Math.log(0.9), Math.log(0.4), Math.log(0.25)],
    });
    expect(both!.confidence).toBe(0.6);
    expect(one!.confidence).toBe(0.25);
    expect(words(['▁al'], { logProbabilities: [] })[0]!.confidence).toBeUndefined();
  });
});
