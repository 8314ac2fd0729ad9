import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpellings } from '../../../src/engines/phrases/spellings.ts';
import type { RecognizedWord, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { plainWord } from '../../../src/engines/sherpa/tokens/tokenWords.ts';
import { areWritten, engineWriting, joinedAsWritten } from '../../../src/engines/text/engineWriting.ts';
import { createPostProcessor, type PostProcessOptions } from '../../../src/engines/text/postprocess.ts';
import { textOf } from '../../../src/transcript/model/model.ts';

/** Words as an engine writes them; `[21|twenty one]` is written as the first, and says the second. */
function wordsOf(text: string): readonly (RecognizedWord & { readonly written: string })[] {
  const parts = text.match(/\[[^\]]*\]|\S+/g) ?? [];
  const said = parts.flatMap(part => {
    const [, written, spoken] = /^\[(.*)\|(.*)\]$/.exec(part) ?? [];
    if (written === undefined) return [{ value: plainWord(part), written: part }];
    return spoken!.split(' ').map((value, index) => ({ value, written: index === 0 ? written : '' }));
  });
  return said.map((word, index) => ({ ...word, startFrame: index * 1600, endFrame: index * 1600 + 1600 }));
}

function final(text: string, cut?: boolean): RecognizerResult {
  const words = wordsOf(text);
  return { type: 'final', startFrame: 0, endFrame: words.length * 1600, words, ...(cut && { cut }) };
}

async function finish(
  texts: readonly string[],
  options: Partial<PostProcessOptions> = {},
): Promise<string[]> {
  const post = createPostProcessor({ sampleRate: 16_000, ...options });
  let state = post.start;
  const shown: string[] = [];
  for (const text of texts) {
    const step = await post.final(state, final(text));
    state = step.state;
    shown.push(textOf(step.elements));
  }
  return shown;
}

describe('the writing of an engine', () => {
  it.each([
    ['And Mr. John Dashwood had then leisure.', 'And Mr. John Dashwood had then leisure.'],
    ['Was he? No! He was not, she said.', 'Was he? No! He was not, she said.'],
    ['I met J. K. Smith vs. the rest of St. Ives.', 'I met J. K. Smith vs. the rest of St. Ives.'],
    ['She came at last; then left: home.', 'She came at last, then left, home.'],
    ['He said "Never!" and left.', 'He said Never! and left.'],
    ['The iPhone of McDonald costs $20.', 'The iPhone of McDonald costs $20.'],
    ["It's the Joneses' house.", "It's the Joneses' house."],
    ['He is well-known in C++ and C#.', 'He is well-known in C++ and C#.'],
    ['¿Cómo estás hoy? ¡Qué bonito!', '¿Cómo estás hoy? ¡Qué bonito!'],
  ])('is shown unchanged: %s', async (written, shown) => {
    expect(await finish([written])).toEqual([shown]);
  });

  it('has one word for each spoken one, with capitals, whatever the engine writes', async () => {
    const text = fc.array(fc.stringMatching(/^[A-Za-z'".,!?0-9-]{0,8}[a-z][.,!?;:"]{0,3}$/), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(text, async parts => {
        const words = wordsOf(parts.join(' '));
        const written = await engineWriting(words, { words: [], before: ['and'] });
        expect(written).toHaveLength(words.length);
        for (const [index, { value, mark }] of written.entries()) {
          expect(['', ',', '.', '?', '!']).toContain(mark);
          if (index > 0) expect(words[index]!.written).toContain(value);
          expect(value).toMatch(/[A-Za-z0-9]/);
        }
      }),
    );
  });

  it('ends no sentence at an ellipsis', async () => {
    expect(await finish(['And then we...', 'Went home.'])).toEqual(['And then we', 'went home.']);
    expect(await finish(['And then we…', 'Went home.'])).toEqual(['And then we', 'went home.']);
  });

  it('ends no sentence at the full stop of an abbreviation, which is part of the word', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    const { elements, state } = await post.final(post.start, final('Then came Mr.'));
    expect(elements.at(-1)).toMatchObject({ type: 'text', value: 'Mr.' });
    expect(state.before).toEqual(['then', 'came', 'mr']);
  });

  it('has no capital where a sentence continues, except for names', async () => {
    expect(await finish(['We went to the', 'House of my father.'])).toEqual([
      'We went to the',
      'house of my father.',
    ]);
    expect(await finish(['He lived with', "I'm sure nobody."])).toEqual([
      'He lived with',
      "I'm sure nobody.",
    ]);
    expect(await finish(['We saw the', 'NATO troops.'])).toEqual(['We saw the', 'NATO troops.']);
    expect(await finish(['It was on a', 'Monday in July.'])).toEqual(['It was on a', 'Monday in July.']);
  });

  it('begins with a capital after the end of a sentence, also when the engine writes none', async () => {
    expect(await finish(['it was late.', 'nobody came.'])).toEqual(['It was late.', 'Nobody came.']);
  });

  it('ends a sentence before the next utterance where the engine does not, when text and pause are clear', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    const ended = async (text: string, next: string, pause: number) => {
      const { words } = final(next);
      const moved = (word: RecognizedWord) => ({
        ...word,
        startFrame: word.startFrame + (text.split(' ').length * 0.1 + pause) * 16_000,
        endFrame: word.endFrame + (text.split(' ').length * 0.1 + pause) * 16_000,
      });
      const step = await post.final(post.start, final(text), { after: words.map(moved) });
      return textOf(step.elements);
    };
    const story = 'This is the end of the story';
    expect(await ended(story, 'And then we went home.', 1.2)).toBe(`${story}.`);
    expect(await ended('We went down to the', 'House of my father.', 1.2)).toBe('We went down to the');
    expect(await ended('He said nothing,', 'But she came.', 0.6)).toBe('He said nothing,');
  });

  it('ends the sentence where the speaker stops, or another one goes on', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    for (const text of ['At that high level the air is pure,', 'At that high level the air is pure']) {
      const { elements, state } = await post.final(post.start, final(text), { after: [] });
      expect(textOf(elements)).toBe('At that high level the air is pure.');
      const next = await post.final(state, final('had he married'));
      expect(textOf(next.elements)).toBe('Had he married');
    }
  });

  it('is ignored when one of the words has none', () => {
    expect(areWritten(wordsOf('He was.'))).toBe(true);
    expect(areWritten([...wordsOf('He'), { value: 'was', startFrame: 0, endFrame: 1 }])).toBe(false);
  });
});

describe('figures that an engine writes', () => {
  it('stand for all of their words', async () => {
    expect(await finish(['She was [21|twenty one] then.'])).toEqual(['She was 21 then.']);
    expect(await finish(['It costs [$1,250|one thousand two hundred fifty dollars] now.'])).toEqual([
      'It costs $1,250 now.',
    ]);
    expect(await finish(['The [20%|twenty percent] of [$3|three dollars] now.'])).toEqual([
      'The 20% of $3 now.',
    ]);
  });

  it('have the mark after them, which ends the sentence', async () => {
    const texts = [
      'She was [21.|twenty one]',
      'He was [22?|twenty two] Or [23,|twenty three] she said.',
      'No.',
    ];
    expect(await finish(texts)).toEqual(['She was 21.', 'He was 22? Or 23, she said.', 'No.']);
  });

  it('end a sentence before another that begins with a capital', async () => {
    expect(await finish(['It was [1912.|nineteen twelve]', 'Then came the war.'])).toEqual([
      'It was 1912.',
      'Then came the war.',
    ]);
  });

  it('stand for all of their words, also without a digit', async () => {
    const texts = ['He left [AT&T|at and t] in May.', 'Their [R&D|r and d] is new.'];
    expect(await finish(texts)).toEqual(['He left AT&T in May.', 'Their R&D is new.']);
  });

  it('have the time of all of their words', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    const { elements } = await post.final(post.start, final('Was [21|twenty one] then.'));
    expect(elements.filter(({ type }) => type === 'text')).toMatchObject([
      { value: 'Was', ts: 0, endTs: 0.1 },
      { value: '21', ts: 0.1, endTs: expect.closeTo(0.3) },
      { value: 'then', ts: expect.closeTo(0.3) },
    ]);
  });

  it('are words in lower case, without marks, when post-processing is skipped', async () => {
    const texts = ['And Mr. Dashwood, was [21!|twenty one]', 'No...'];
    expect(await finish(texts, { skipPostprocessing: true })).toEqual([
      'and mr dashwood was twenty one',
      'no',
    ]);
  });

  it('are words in partials, whose other marks and capitals are shown but for the last mark', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    const said = async (text: string, state = post.start) => {
      const words = await post.partial(state, { ...final(text), type: 'partial' });
      return words.map(({ value }) => value).join(' ');
    };
    expect(await said('Was [21?|twenty one]')).toBe('Was twenty one');
    expect(await said('No, Mr. Dashwood. He came.')).toBe('No, Mr. Dashwood. He came');
    const { state } = await post.final(post.start, { ...final('He was not'), cut: true });
    expect(await said('An old man, said Marianne.', state)).toBe('an old man, said Marianne');
  });

  it('are written as in a phrase that spells their words', () => {
    const spelled = createSpellings(['Twenty-One']).apply(wordsOf('Was [21|twenty one] then.'));
    expect(joinedAsWritten(spelled).map(({ spelling, value }) => spelling ?? value)).toEqual([
      'was',
      'Twenty-One',
      'then',
    ]);
  });

  it('include no neighbouring word', () => {
    const joined = joinedAsWritten(wordsOf('A [21|twenty one] [22|twenty two] B'));
    expect(joined.map(({ value, spelling }) => [value, spelling])).toEqual([
      ['a', undefined],
      ['twenty one', '21'],
      ['twenty two', '22'],
      ['b', undefined],
    ]);
  });
});

describe('unwanted writing of an engine', () => {
  it('is masked in written words', async () => {
    expect(await finish(['Bullshit, he said. BULLSHIT!'], { filterProfanity: true })).toEqual([
      'B******t, he said. B******T!',
    ]);
  });

  it('is removed, and the next word opens the sentence', async () => {
    expect(await finish(['Um, he was late.', 'Uh,'], { removeDisfluencies: true })).toEqual([
      'He was late.',
      '',
    ]);
    expect(await finish(['Um, uh, the the room was cold.'], { removeDisfluencies: true })).toEqual([
      'The room was cold.',
    ]);
  });

  it.each([
    ['It is, um, cold.', 'It is cold.'],
    ['It is, um, uh, cold, and late.', 'It is cold, and late.'],
    ['Well, um, it is cold.', 'Well, it is cold.'],
    ['We went, um. It was cold.', 'We went. It was cold.'],
    ['We went home. Um, it was cold.', 'We went home. It was cold.'],
    ['Did we go? Uh, the the room was cold.', 'Did we go? The room was cold.'],
    ['We went to, um the house.', 'We went to, the house.'],
  ])('is removed with its marks: %s', async (said, left) => {
    expect(await finish([said], { removeDisfluencies: true })).toEqual([left]);
  });

  it('does not end the sentence that continues', async () => {
    const texts = ['We went to the', 'Um.', 'House of my father.'];
    expect((await finish(texts, { removeDisfluencies: true })).at(-1)).toBe('house of my father.');
  });
});
