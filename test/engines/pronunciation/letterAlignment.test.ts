import { describe, expect, it } from 'vitest';
import { type CodedWord, LetterAlignment } from '../../../src/engines/pronunciation/letterAlignment.ts';

const LETTERS = 'abcdehkotx';
const PHONES = ['', 'AE', 'B', 'K', 'S', 'CH', 'T', 'D', 'OW', 'EH'];

function coded(word: string, phones: string): CodedWord {
  return {
    letters: Uint8Array.from(word, letter => LETTERS.indexOf(letter)),
    phones: Uint8Array.from(phones === '' ? [] : phones.split(' '), phone => PHONES.indexOf(phone)),
  };
}

const WORDS = [
  ...[coded('cat', 'K AE T'), coded('bat', 'B AE T'), coded('tab', 'T AE B'), coded('cab', 'K AE B')],
  ...[coded('tax', 'T AE K S'), coded('box', 'B OW K S'), coded('dot', 'D OW T'), coded('bet', 'B EH T')],
  ...[coded('chat', 'CH AE T'), coded('hat', 'AE T'), coded('back', 'B AE K'), coded('deck', 'D EH K')],
];

function aligned(word: string, phones: string): string | undefined {
  const alignment = new LetterAlignment(LETTERS.length, PHONES.length - 1);
  for (let pass = 0; pass < 8; pass++) alignment.learn(WORDS);
  const units = alignment.align(coded(word, phones));
  return (
    units &&
    Array.from(units, unit => {
      const said = alignment.phonesOf(unit).map(phone => PHONES[phone]);
      return `${LETTERS[alignment.letterOf(unit)]}:${said.join('+')}`;
    }).join(' ')
  );
}

describe('an alignment of letters and phones', () => {
  it.each([
    ['cat', 'K AE T', 'c:K a:AE t:T'],
    ['tax', 'T AE K S', 't:T a:AE x:K+S'],
    ['axe', 'AE K S', 'a:AE x:K+S e:'],
    ['hot', 'OW T', 'h: o:OW t:T'],
    ['cod', 'K OW D', 'c:K o:OW d:D'],
  ])('finds the letters of "%s" for %s', (word, phones, units) => {
    expect(aligned(word, phones)).toBe(units);
  });

  it('does not exist for more phones than the letters can have', () => {
    expect(aligned('x', 'K S T')).toBeUndefined();
  });

  it('learns nothing from such words', () => {
    const alignment = new LetterAlignment(LETTERS.length, PHONES.length - 1);
    alignment.learn([coded('x', 'K S T')]);
    expect(alignment.align(coded('cat', 'K AE T'))).toHaveLength(3);
  });
});
