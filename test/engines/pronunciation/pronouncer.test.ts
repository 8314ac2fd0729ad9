import { describe, expect, it } from 'vitest';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';
import { createPronouncer } from '../../../src/engines/pronunciation/pronouncer.ts';

const dictionary = parseDictionary(`
a AH
a. EY
b B IY
t T IY
cat K AE T
bat B AE T
tab T AE B
tab(2) T AA B
tack T AE K
batch B AE CH
act AE K T
`);

describe('a word outside the dictionary', () => {
  it.each([
    ['bat', 'B AE T S'],
    ['tab', 'T AE B Z'],
    ['batch', 'B AE CH IH Z'],
  ])("is pronounced with the ending of its owner: %s's", (owner, phones) => {
    expect(createPronouncer(dictionary).pronounce(`${owner}'s`)[0]).toBe(phones);
  });

  it("has a pronunciation for each of its owner's", () => {
    expect(createPronouncer(dictionary).pronounce("tab's")).toEqual(['T AE B Z', 'T AA B Z']);
  });

  it('is spelled out first, when it may be initials', () => {
    const pronouncer = createPronouncer(dictionary);
    const said = pronouncer.pronounce('abat', true);
    expect(said[0]).toBe('EY B IY EY T IY');
    expect(said.length).toBeGreaterThan(1);
    expect(pronouncer.pronounce('abat').slice(0, said.length - 1)).toEqual(said.slice(1));
  });

  it('is only spelled out, when it has no vowel', () => {
    expect(createPronouncer(dictionary).pronounce('tbt', true)).toEqual(['T IY B IY T IY']);
  });

  it('is pronounced by its letters otherwise, in one to three ways', () => {
    const said = createPronouncer(dictionary).pronounce('cab');
    expect(said[0]).toBe('K AE B');
    expect(said.length).toBeLessThanOrEqual(3);
  });

  it.each(['tbt', 'žat', 'zzz'])('is not pronounced when that is impossible: %s', word => {
    expect(createPronouncer(dictionary).pronounce(word)).toEqual([]);
  });

  it('is pronounced the same again', () => {
    const pronouncer = createPronouncer(dictionary);
    expect(pronouncer.pronounce('cab')).toBe(pronouncer.pronounce('cab'));
  });
});
