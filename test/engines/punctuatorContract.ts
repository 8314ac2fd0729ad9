import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { Punctuator, SpokenUtterance, SpokenWord } from '../../src/engines/punctuator.ts';

export interface PunctuatorUnderTest {
  readonly create: () => Punctuator | Promise<Punctuator>;
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
}

const spoken = (words: string): readonly SpokenWord[] => words.split(' ').map(value => ({ value }));

const UTTERANCES: readonly (readonly [string, SpokenUtterance])[] = [
  ['one word', { words: spoken('yes') }],
  ['a sentence', { words: spoken("i don't know what you mean") }],
  ['odd words', { words: spoken(`… 12 😀 你好 o' -- ${'x'.repeat(9999)}`) }],
  ['thousands of words', { words: spoken('and then we went home '.repeat(600).trim()) }],
  ['words among others', { words: spoken('went'), before: ['we'], after: spoken('home at once') }],
  ['no words', { words: [] }],
  ['no words before others', { words: [], before: ['we'], after: spoken('went') }],
];

/** Behaviour of every punctuator of English, for any marks. */
export function punctuatorContract(name: string, engine: PunctuatorUnderTest): void {
  async function create(context: TestContext): Promise<Punctuator> {
    if (engine.missing) context.skip(engine.missing);
    const punctuator = await engine.create();
    onTestFinished(() => punctuator.close());
    return punctuator;
  }

  describe(`${name} as a punctuator`, { timeout: 120_000 }, () => {
    it.for(UTTERANCES)('changes only capitals in %s, in order', async ([, said], context) => {
      const punctuator = await create(context);
      const written = await punctuator.punctuate(said);
      const values = said.words.map(({ value }) => value);
      expect(written.map(({ value }) => value.toLowerCase())).toEqual(values);
      for (const { mark } of written) expect(['', ',', '.', '?', '!']).toContain(mark);
    });

    it('opens a sentence with a capital, and no word within one', async context => {
      const punctuator = await create(context);
      const words = spoken('went home');
      const [first] = await punctuator.punctuate({ words });
      const [second] = await punctuator.punctuate({ words, before: ['we', 'all'] });
      expect([first!.value, second!.value]).toEqual(['Went', 'went']);
    });

    it('ends the last sentence, and none that continues', async context => {
      const punctuator = await create(context);
      const words = spoken('we went to the');
      expect((await punctuator.punctuate({ words, after: [] })).at(-1)!.mark).toMatch(/[.?!]/);
      expect((await punctuator.punctuate({ words, goesOn: true })).at(-1)!.mark).toBe('');
    });

    it('writes the same with concurrent calls', async context => {
      const punctuator = await create(context);
      const all = UTTERANCES.slice(0, 3).map(([, said]) => said);
      const alone = [];
      for (const said of all) alone.push(await punctuator.punctuate(said));
      expect(await Promise.all(all.map(said => punctuator.punctuate(said)))).toEqual(alone);
    });

    it('rejects with the reason of the signal', async context => {
      const punctuator = await create(context);
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(punctuator.punctuate({ words: spoken('yes') }, { signal })).rejects.toThrow('enough');
    });
  });
}
