import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpellings } from '../../../src/engines/phrases/spellings.ts';
import type { RecognizedWord } from '../../../src/engines/recognizer.ts';

function wordsOf(text: string): RecognizedWord[] {
  return text.split(' ').map((value, index) => ({
    value,
    startFrame: index * 100,
    endFrame: index * 100 + 90,
    confidence: 1 / (index + 1),
  }));
}

/** Returns the written form of recognised words, elements between `|`; spellings of phrases in brackets. */
function write(phrases: readonly string[], text: string): string {
  return createSpellings(phrases)
    .apply(wordsOf(text))
    .map(({ value, spelling }) => (spelling === undefined ? value : `[${spelling}]`))
    .join('|');
}

describe('the spelling of a phrase', () => {
  it.each([
    ['Kubernetes', 'we run kubernetes here', 'we|run|[Kubernetes]|here'],
    ['John Dashwood', 'mr john dashwood and john', 'mr|[John]|[Dashwood]|and|john'],
    ['C++ 17', 'use c plus plus seventeen now', 'use|[C++]|[17]|now'],
    ['JavaScript', 'java script or javascript', '[JavaScript]|or|[JavaScript]'],
    ['GPRS', 'gprs and g p r s', '[GPRS]|and|[GPRS]'],
    ['E-Mail', 'an e-mail is an e mail', 'an|[E-Mail]|is|an|[E-Mail]'],
    ['U.S. Navy', 'the u.s. navy the u s navy', 'the|[U.S.]|[Navy]|the|[U.S.]|[Navy]'],
    ['MP3 Player', 'an mp3 player is an m p three player', 'an|[MP3]|[Player]|is|an|[MP3]|[Player]'],
    ['AT&T', 'a t and t', '[AT&T]'],
    ['Crème brûlée', 'creme brulee', '[Crème]|[brûlée]'],
    ['Mail Box', 'a mail-box', 'a|[Mail Box]'],
    ['Norland', "norland's park", "[Norland's]|park"],
    ['Norland Park', "norland park's", "[Norland]|[Park's]"],
    ["McDonald's", "at mcdonald's", "at|[McDonald's]"],
    ['Norland', 'nor land', 'nor|land'],
  ])('%s: "%s" is written "%s"', (phrase, heard, written) => {
    expect(write([phrase], heard)).toBe(written);
  });

  it('is that of the longest phrase, and of the first of two equal ones', () => {
    const phrases = ['New', 'new York', 'New York City', 'NEW york'];
    expect(write(phrases, 'new york city in new york is new')).toBe(
      '[New]|[York]|[City]|in|[new]|[York]|is|[New]',
    );
  });

  it('does not replace a common word with another sense, but its letters', () => {
    expect(write(['IT', 'WHO', 'Will'], 'it will say who i t and w h o are')).toBe(
      'it|will|say|who|[IT]|and|[WHO]|are',
    );
    expect(write(['IT department'], 'the it department')).toBe('the|[IT]|[department]');
  });

  it('of several words has their whole time, and the lowest confidence', () => {
    const [word, ...more] = createSpellings(['C++']).apply(wordsOf('c plus plus'));
    expect(more).toEqual([]);
    expect(word).toEqual({
      value: 'c plus plus',
      startFrame: 0,
      endFrame: 290,
      confidence: 1 / 3,
      spelling: 'C++',
    });
  });

  it('has no confidence when one of its words has none', () => {
    const words = wordsOf('c plus plus').map(({ confidence, ...word }) =>
      confidence === 1 ? { ...word, confidence } : word,
    );
    expect(createSpellings(['C++']).apply(words)[0]?.confidence).toBeUndefined();
  });

  it('does not exist for phrases that cannot be said', () => {
    expect(write(['★', '$5', ''], 'five dollars')).toBe('five|dollars');
  });

  it('loses no word and no time, whatever the phrases', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'ab', 'a-b', "b's", 'c.d.', 'one');
    const phrase = fc.array(fc.constantFrom('A', 'b', 'C', 'AB', 'A-b', 'C.D.', '1', 'aB'), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 8 }), fc.array(word, { minLength: 1 }), (phrases, heard) => {
        const words = wordsOf(heard.join(' '));
        const spelled = createSpellings(phrases.map(parts => parts.join(' '))).apply(words);
        expect(spelled.map(({ value }) => value).join(' ')).toBe(heard.join(' '));
        expect(spelled[0]!.startFrame).toBe(0);
        expect(spelled.at(-1)!.endFrame).toBe(words.at(-1)!.endFrame);
        for (const { spelling } of spelled) expect(spelling).not.toBe('');
      }),
    );
  });
});
