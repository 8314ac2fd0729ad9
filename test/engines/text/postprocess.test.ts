import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpellings } from '../../../src/engines/phrases/spellings.ts';
import type { Punctuator } from '../../../src/engines/punctuator.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createPostProcessor, type PostProcessOptions } from '../../../src/engines/text/postprocess.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { isHesitation } from '../../../src/transcript/text/words.ts';

function final(text: string, cut?: boolean): RecognizerResult {
  const words = text
    .split(' ')
    .filter(value => value !== '')
    .map((value, index) => ({
      value,
      startFrame: index * 1600,
      endFrame: (index + 1) * 1600,
      confidence: 0.5,
    }));
  return { type: 'final', startFrame: 0, endFrame: words.length * 1600, words, ...(cut && { cut }) };
}

async function finish(
  results: readonly RecognizerResult[],
  options: Partial<PostProcessOptions> = {},
): Promise<string[]> {
  const post = createPostProcessor({ sampleRate: 16_000, ...options });
  let state = post.start;
  const texts: string[] = [];
  for (const result of results) {
    const step = await post.final(state, result);
    state = step.state;
    texts.push(textOf(step.elements));
  }
  return texts;
}

describe('text finishing', () => {
  it.each([
    ['he was not an ill disposed young man', 'He was not an ill disposed young man.'],
    ["and i'm late for it", "And I'm late for it."],
    ["i'll come on monday in july", "I'll come on Monday in July."],
    ["'em too", "'Em too."],
    ['how do you know', 'How do you know?'],
    ['at ten a.m.', 'At 10 a.m.'],
    ['what he did was right', 'What he did was right.'],
    ['yes', 'Yes.'],
    ['', '[inaudible]'],
  ])('writes "%s" as "%s"', async (words, text) => {
    expect(await finish([final(words)])).toEqual([text]);
  });

  it('continues the sentence that a segment limit cut', async () => {
    const results = [final('do you', true), final('hear me', true), final('or not'), final('no')];
    const texts = ['Do you', 'hear me', 'or not?', 'No.'];
    expect(await finish(results, { punctuator: plain })).toEqual(texts);
    expect((await finish(results)).slice(0, 2)).toEqual(texts.slice(0, 2));
  });

  it('continues a sentence after a pause, and begins another after its end', async () => {
    const results = [final('we went to the'), final('house of my father'), final('it was late')];
    expect(await finish(results)).toEqual(['We went to the', 'house of my father.', 'It was late.']);
  });

  it('keeps the words of a number that a segment limit may have cut, on both sides of the cut', async () => {
    const results = [final('we saw one hundred and', true), final('twenty five thousand people')];
    expect(await finish(results)).toEqual(['We saw one hundred and', 'twenty five thousand people.']);
    const share = [final('they pay two point', true), final('five percent of it')];
    expect((await finish(share)).join(' ')).toBe('They pay two point five percent of it.');
  });

  it('ends the sentence when nothing follows', async () => {
    const post = createPostProcessor({ sampleRate: 16_000 });
    const step = await post.final(post.start, final('we went to the'), { after: [] });
    expect(textOf(step.elements)).toBe('We went to the.');
    expect(step.state).toEqual(post.start);
  });

  it('does not treat a following disfluency as the end of the recording', async () => {
    const post = createPostProcessor({ sampleRate: 16_000, removeDisfluencies: true });
    const step = await post.final(post.start, final('we went to the'), { after: final('um').words });
    expect(textOf(step.elements)).toBe('We went to the');
    expect(step.state.before).toEqual(['we', 'went', 'to', 'the']);
  });

  it('opens a sentence with the first remaining word', async () => {
    const results = [final('um', true), final('er well then we will go')];
    expect(await finish(results, { removeDisfluencies: true })).toEqual(['', 'Well, then, we will go.']);
  });

  it('removes stutters, but no word that may be repeated on purpose', async () => {
    const heard = 'i i think that that man had had the the uh the letter';
    expect(await finish([final(heard)], { removeDisfluencies: true, skipPostprocessing: true })).toEqual([
      'i think that that man had had the letter',
    ]);
  });

  it('keeps the words when post-processing is skipped, separated by spaces', async () => {
    const post = createPostProcessor({ sampleRate: 16_000, skipPostprocessing: true });
    expect((await post.final(post.start, final("i'm twenty five"))).elements).toEqual([
      { type: 'text', value: "i'm", ts: 0, endTs: 0.1, confidence: 0.5 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'twenty', ts: 0.1, endTs: 0.2, confidence: 0.5 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'five', ts: 0.2, endTs: expect.closeTo(0.3), confidence: 0.5 },
    ]);
  });

  it('writes phrases as in their vocabulary, in finals', async () => {
    const spellings = createSpellings(['iPhone 7', 'ill disposed', 'Yahoo!', 'C++']);
    const heard = [
      ['i phone seven is new', 'iPhone 7 is new.'],
      ['ill disposed and ill disposed', 'Ill disposed and ill disposed.'],
      ['we asked yahoo', 'We asked Yahoo!'],
      ['is it c plus plus', 'Is it C++?'],
    ] as const;
    const finals = heard.map(([words]) => final(words));
    for (const [index, [, text]] of heard.entries()) {
      expect(await finish([finals[index]!], { spellings, punctuator: plain })).toEqual([text]);
    }
    expect(await finish(finals.slice(0, 1), { spellings, skipPostprocessing: true })).toEqual([
      'i phone seven is new',
    ]);
    const post = createPostProcessor({ sampleRate: 16_000, spellings });
    const [phone] = (await post.final(post.start, finals[0]!)).elements;
    expect(phone).toEqual({ type: 'text', value: 'iPhone', ts: 0, endTs: 0.2, confidence: 0.5 });
    const partial = await post.partial(post.start, finals[0]!);
    expect(partial.map(element => element.value)).toEqual(['i', 'phone', 'seven', 'is', 'new']);
  });

  it('removes disfluencies before it looks for phrases, and masks their spellings', async () => {
    const options = { spellings: createSpellings(['Bull Shit', 'BULLSHIT Inc']), removeDisfluencies: true };
    expect(await finish([final('bull um shit')], options)).toEqual(['Bull Shit.']);
    expect(await finish([final('bullshit inc')], { ...options, filterProfanity: true })).toEqual([
      'B******T Inc.',
    ]);
  });

  it('returns partials as plain words, filtered alike', async () => {
    const post = createPostProcessor({ sampleRate: 16_000, filterProfanity: true, removeDisfluencies: true });
    const partial = await post.partial(post.start, final('i um said bullshit'));
    expect(partial.map(element => element.value)).toEqual(['i', 'said', 'b******t']);
  });

  it('filters without post-processing too', async () => {
    const options = { filterProfanity: true, removeDisfluencies: true, skipPostprocessing: true };
    expect(await finish([final('uh shit happens')], options)).toEqual(['s**t happens']);
  });

  it('writes a plain sentence in languages that the punctuator does not support, and reports nothing', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    expect(await finish([final('wo ist um uhr'), final('ja')], { language: 'de', onError })).toEqual([
      'Wo ist um uhr.',
      'Ja.',
    ]);
    expect(await finish([final('你好 世界')], { language: 'zh', onError })).toEqual(['你好 世界']);
    expect(errors).toEqual([]);
  });

  it('uses the given punctuator', async () => {
    const punctuator = punctuatorOf(async ({ words }) =>
      words.map(({ value }) => ({ value: value.toUpperCase(), mark: '!' })),
    );
    expect(await finish([final('so what')], { punctuator })).toEqual(['SO! WHAT!']);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('broken'))],
    ['gives too few words', async () => []],
  ])('writes plain sentences and reports once when the punctuator %s', async (_, punctuate) => {
    const errors: unknown[] = [];
    const options = { punctuator: punctuatorOf(punctuate), onError: (error: unknown) => errors.push(error) };
    expect(await finish([final('we went to the'), final('zoo')], options)).toEqual([
      'We went to the.',
      'Zoo.',
    ]);
    expect(errors).toHaveLength(1);
  });

  it('stops with the reason of the signal while it waits for the punctuator', async () => {
    const stop = new AbortController();
    const punctuator = punctuatorOf(async (_, { signal } = {}) => {
      stop.abort(new Error('stopped'));
      signal?.throwIfAborted();
      return [];
    });
    const errors: unknown[] = [];
    const post = createPostProcessor({
      sampleRate: 16_000,
      punctuator,
      onError: error => errors.push(error),
    });
    const step = post.final(post.start, final('hello'), { signal: stop.signal });
    await expect(step).rejects.toThrow('stopped');
    expect(errors).toEqual([]);
  });

  it('keeps every word, its times and its confidence, whatever the options', async () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/).filter(value => !isHesitation(value));
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1 }),
        fc.boolean(),
        fc.boolean(),
        async (words, skip, mask) => {
          const post = createPostProcessor({
            sampleRate: 16_000,
            skipPostprocessing: skip,
            filterProfanity: mask,
          });
          const result = final(words.join(' '));
          const { elements } = await post.final(post.start, result);
          const texts = elements.filter(element => element.type === 'text');
          expect(texts.map(text => text.ts)).toEqual(result.words.map(word => word.startFrame / 16_000));
          expect(texts.map(text => text.value.length)).toEqual(words.map(word => word.length));
          if (!mask) expect(texts.map(text => text.value.toLowerCase())).toEqual(words);
          if (skip) expect(elements.every(({ type, value }) => type === 'text' || value === ' ')).toBe(true);
        },
      ),
    );
  });
});

const plain = punctuatorOf(() => Promise.reject(new Error('the plain rule is wanted')));

function punctuatorOf(punctuate: Punctuator['punctuate']): Punctuator {
  const close = async () => {};
  return { name: 'test', languages: ['en'], punctuate, close, [Symbol.asyncDispose]: close };
}
