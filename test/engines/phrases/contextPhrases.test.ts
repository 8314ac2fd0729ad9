import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../src/engines/moonshine/tokens.ts';
import { contextPhrases, MAX_CONTEXT_PHRASES } from '../../../src/engines/phrases/contextPhrases.ts';

const USUAL = new Set(
  'a and at but cold colonel dashwood for had he her in is it john letter london lived marianne met my of park she sister the then they to was with wrote'.split(
    ' ',
  ),
);

const phrasesOf = (document: string) =>
  contextPhrases(document, USUAL, word => encodeText(word).length === 1);

describe('phrases of a document', () => {
  test('are words outside the dictionary, the most frequent first', () => {
    expect(phrasesOf('He met the niggarding churl. The churl wrote.')).toEqual(['churl', 'niggarding']);
  });

  test('are names of several tokens, and full names that occur more than once', () => {
    const text = `Marianne Dashwood lived in London. Then Marianne Dashwood met John, and John met Marianne.
      They met Mrs. Dashwood of Norland Park. But Colonel Brandon wrote to Colonel
      Brandon. London was cold.`;
    expect(phrasesOf(text)).toEqual([
      'Marianne',
      'Dashwood',
      'Brandon',
      'Marianne Dashwood',
      'Colonel Brandon',
      'Norland',
    ]);
  });

  test('do not have words that only begin a sentence with a capital', () => {
    expect(phrasesOf('Sister wrote. Letter, letter.\n\nMarianne')).toEqual([]);
  });

  test('are written in lower case where the document does, without possessive endings', () => {
    expect(phrasesOf("Churl! A churl’s letter. RxJS and 'Ferrars' at XVIII.")).toEqual([
      'churl',
      'RxJS',
      'Ferrars',
    ]);
  });

  test.each([
    [
      'HTML',
      '<html><head><style>p { color: mauve }</style></head><body><p>My <b>fer</b>rars &amp; F&#233;lix caf&eacute;</p><p>the<br>wil&#108;oughby</p><script>let lucy</script><!-- barton --></body>',
    ],
    [
      'Markdown',
      '# My ferrars\n\n[Félix](https://steele.example/edward), `the`\n\n```js\nlucy\n```\n\n- **willoughby** of https://barton.example\n',
    ],
  ])('are those of the text of a document in %s', (_, document) => {
    expect(phrasesOf(document)).toEqual(['ferrars', 'Félix', 'willoughby']);
  });

  test('are no words that a service refuses, and no more than the limit', () => {
    const words = Array.from(
      { length: 300 },
      (_, index) => `ba${'aeiou'[index % 5]}d${'bdfgklmnprst'[index % 12]}${'aeiou'[Math.floor(index / 60)]}`,
    );
    const phrases = phrasesOf(`${'long'.repeat(9)} слово ${words.join(' ')}`);
    expect(phrases).toHaveLength(MAX_CONTEXT_PHRASES);
    expect(phrases[0]).toBe(words[0]);
  });

  test.each(['<!--', '<script>', '<a', '](', '```\n', '_', '&a', "a'", 'https://', 'Mr. '])(
    'come in linear time from a document of %s alone',
    part => {
      expect(phrasesOf(part.repeat(400_000)).length).toBeLessThan(2);
    },
    10_000,
  );
});
