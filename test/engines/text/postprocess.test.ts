import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpellings } from '../../../src/engines/phrases/spellings.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import {
  createPostProcessor,
  DISFLUENCIES,
  type PostProcessOptions,
} from '../../../src/engines/text/postprocess.ts';
import { textOf } from '../../../src/transcript/model.ts';

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

function finish(results: readonly RecognizerResult[], options: Partial<PostProcessOptions> = {}): string[] {
  const post = createPostProcessor({ sampleRate: 16_000, ...options });
  let state = post.start;
  return results.map(result => {
    const step = post.final(state, result);
    state = step.state;
    return textOf(step.elements);
  });
}

describe('text finishing', () => {
  it.each([
    ['he was not an ill disposed young man', 'He was not an ill disposed young man.'],
    ["and i think i'm late", "And I think I'm late."],
    ["i'll come on monday in july", "I'll come on Monday in July."],
    ['iris may march in august', 'Iris may march in august.'],
    ["'em too", "'Em too."],
    ['how do you know', 'How do you know?'],
    ['is it so', 'Is it so?'],
    ['at ten a.m.', 'At ten a.m.'],
    ['what he did was right', 'What he did was right.'],
    ['had he married he would have been happy', 'Had he married he would have been happy.'],
    ['', ''],
  ])('writes "%s" as "%s"', (words, text) => {
    expect(finish([final(words)])).toEqual([text]);
  });

  it('goes on with the sentence that a segment limit cut', () => {
    const results = [final('do you', true), final('hear me', true), final('or not'), final('no')];
    expect(finish(results)).toEqual(['Do you', 'hear me', 'or not?', 'No.']);
  });

  it('opens a sentence with the first word that is left', () => {
    const results = [final('um', true), final('er well then')];
    expect(finish(results, { removeDisfluencies: true })).toEqual(['', 'Well then.']);
  });

  it('leaves the words as they are when post-processing is skipped, spaced by elements', () => {
    const post = createPostProcessor({ sampleRate: 16_000, skipPostprocessing: true });
    expect(post.final(post.start, final("i'm here")).elements).toEqual([
      { type: 'text', value: "i'm", ts: 0, endTs: 0.1, confidence: 0.5 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'here', ts: 0.1, endTs: 0.2, confidence: 0.5 },
    ]);
  });

  it('writes phrases as their vocabulary does, in finals', () => {
    const spellings = createSpellings(['iPhone 7', 'ill disposed', 'Yahoo!', 'C++']);
    const heard = [
      ['i phone seven is new', 'iPhone 7 is new.'],
      ['ill disposed and ill disposed', 'Ill disposed and ill disposed.'],
      ['we asked yahoo', 'We asked Yahoo!'],
      ['is it c plus plus', 'Is it C++?'],
    ] as const;
    const finals = heard.map(([words]) => final(words));
    expect(finish(finals, { spellings })).toEqual(heard.map(([, text]) => text));
    expect(finish(finals.slice(0, 1), { spellings, skipPostprocessing: true })).toEqual([
      'i phone seven is new',
    ]);
    const post = createPostProcessor({ sampleRate: 16_000, spellings });
    const [phone] = post.final(post.start, finals[0]!).elements;
    expect(phone).toEqual({ type: 'text', value: 'iPhone', ts: 0, endTs: 0.2, confidence: 0.5 });
    expect(post.partial(finals[0]!).map(element => element.value)).toEqual([
      ...['i', 'phone', 'seven', 'is', 'new'],
    ]);
  });

  it('leaves out disfluencies before it looks for phrases, and masks their spellings', () => {
    const options = { spellings: createSpellings(['Bull Shit', 'BULLSHIT Inc']), removeDisfluencies: true };
    expect(finish([final('bull um shit')], options)).toEqual(['Bull Shit.']);
    expect(finish([final('bullshit inc')], { ...options, filterProfanity: true })).toEqual(['B******T Inc.']);
  });

  it('gives partials as plain words, filtered alike', () => {
    const post = createPostProcessor({ sampleRate: 16_000, filterProfanity: true, removeDisfluencies: true });
    expect(post.partial(final('i um said bullshit')).map(element => element.value)).toEqual([
      'i',
      'said',
      'b******t',
    ]);
  });

  it('filters without post-processing too', () => {
    const options = { filterProfanity: true, removeDisfluencies: true, skipPostprocessing: true };
    expect(finish([final('uh shit happens')], options)).toEqual(['s**t happens']);
  });

  it('keeps every word, its times and its confidence, whatever the options', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/).filter(value => !DISFLUENCIES.has(value));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.boolean(), fc.boolean(), (words, skip, mask) => {
        const post = createPostProcessor({
          sampleRate: 16_000,
          skipPostprocessing: skip,
          filterProfanity: mask,
        });
        const result = final(words.join(' '));
        const texts = post.final(post.start, result).elements.filter(element => element.type === 'text');
        expect(texts.map(text => text.ts)).toEqual(result.words.map(word => word.startFrame / 16_000));
        expect(texts.map(text => text.value.length)).toEqual(words.map(word => word.length));
        if (!mask) expect(texts.map(text => text.value.toLowerCase())).toEqual(words);
      }),
    );
  });
});
