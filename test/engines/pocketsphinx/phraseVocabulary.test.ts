import { describe, expect, it } from 'vitest';
import { createVocabularyFinder } from '../../../src/engines/pocketsphinx/phraseVocabulary.ts';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

const dictionary = parseDictionary(`
a AH
a. EY
and AE N D
at AE T
b B IY
bat B AE T
c. S IY
cat K AE T
e. IY
e-mail IY M EY L
i. AY
it IH T
mail M EY L
plus P L AH S
t. T IY
tab T AE B
`);
const find = createVocabularyFinder(dictionary);

async function said(...phrases: string[]): Promise<string[]> {
  return (await find(phrases, async () => {})).vocabulary.phrases.split('\n');
}

async function words(...phrases: string[]): Promise<string[]> {
  return (await find(phrases, async () => {})).vocabulary.words.split('\n');
}

describe('what a decoder is told of phrases', () => {
  it('is their words as the dictionary has them, in all ways to say them', async () => {
    expect(await said('Cat & Bat', 'E-Mail')).toEqual(['cat and bat', 'e-mail', 'e. mail']);
    expect(await said('IT cat')).toEqual(['it cat', 'i. t. cat']);
    expect(await said('Plan B')).toEqual(['plan b']);
    expect(await said('A.T.')).toEqual(['a t.']);
  });

  it('is four ways of a phrase at most', async () => {
    expect(await said('IT AT IT AT')).toHaveLength(4);
  });

  it('is the pronunciations of words that it lacks, in the format of a dictionary', async () => {
    expect(await words('cat', 'bat')).toEqual(['']);
    expect((await words('cat CAB')).slice(0, 2)).toEqual(['cab S IY EY B IY', 'cab(2) K AE B']);
    for (const [index, line] of (await words('batamail')).entries()) {
      expect(line.startsWith(index === 0 ? 'batamail ' : `batamail(${index + 1}) `)).toBe(true);
    }
  });

  it('is not what cannot be said, which is named with the reason', async () => {
    const { vocabulary, faults } = await find(['cat', '★', 'bat Žž', 'wxyz'], async () => {});
    expect(vocabulary.phrases).toBe('cat');
    expect(faults).toEqual([
      { phrase: '★', reason: '"★" cannot be said in English' },
      { phrase: 'bat Žž', reason: 'no pronunciation is known for "zz"' },
      { phrase: 'wxyz', reason: 'no pronunciation is known for "wxyz"' },
    ]);
  });

  it('is nothing of no phrases', async () => {
    expect(await find([], async () => {})).toEqual({ vocabulary: { words: '', phrases: '' }, faults: [] });
  });

  it('leaves the others their turn', async () => {
    let pauses = 0;
    await find(Array(100).fill('cat'), async () => void pauses++);
    expect(pauses).toBeGreaterThanOrEqual(10);
  });
});
