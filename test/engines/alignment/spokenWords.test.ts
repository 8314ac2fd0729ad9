import { afterAll, describe, expect, it } from 'vitest';
import type { AlignedWord } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { readSampleSpeech, readSampleText, silence } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const SPEECH = readSampleSpeech('sense-and-sensibility');
const SAID = readSampleText('sense-and-sensibility');
/** Distance from the time with the exact text. */
const NEAR_FRAMES = 0.1 * RATE;

const aligner = createAligner();
afterAll(() => aligner.close());
const exact = align(SAID);

function align(words: readonly string[], audio = SPEECH): Promise<readonly AlignedWord[]> {
  return aligner.alignSpoken!(audio, words);
}

const isFound = ({ startFrame }: AlignedWord) => startFrame !== undefined;

/** Index of a spoken word. */
function at(word: string, from = 0): number {
  const index = SAID.indexOf(word, from);
  expect(index).toBeGreaterThanOrEqual(0);
  return index;
}

function expectNear(word: AlignedWord, other: AlignedWord, frames = NEAR_FRAMES): void {
  expect(Math.abs(word.startFrame! - other.startFrame!), word.value).toBeLessThanOrEqual(frames);
  expect(Math.abs(word.endFrame! - other.endFrame!), word.value).toBeLessThanOrEqual(frames);
}

it('spoken words are returned in order, one after another within the audio', async () => {
  const words = await exact;
  expect(words.map(({ value }) => value)).toEqual(SAID);
  expect(words.filter(word => !isFound(word))).toEqual([]);
  let reached = 0;
  for (const { value, startFrame, endFrame } of words) {
    expect(startFrame, value).toBeGreaterThanOrEqual(reached);
    expect(endFrame! - startFrame!, value).toBeGreaterThanOrEqual(0.03 * RATE);
    expect(endFrame! - startFrame!, value).toBeLessThanOrEqual(1.2 * RATE);
    reached = endFrame!;
  }
  expect(reached).toBeLessThanOrEqual(SPEECH.length);
});

it('times do not depend on earlier calls', { tags: 'slow' }, async () => {
  await align(['silence'], silence(1));
  expect(await align(SAID)).toEqual(await exact);
});

describe('a written word is found in its place', { tags: 'slow' }, () => {
  it.for([
    ['a name', 'dashwood', 'Dashwood'],
    ['a misspelt name that no dictionary has', 'dashwood', 'Dashwud'],
    ['an abbreviation', 'mister', 'Mr.'],
    ['a number', 'to', '2'],
    ['marks', 'unless', '“unless,”'],
    ['capitals', 'married', 'MARRIED'],
  ] as const)('%s', async ([, said, written]) => {
    const truth = await exact;
    const index = at(said);
    const [from, to] = [Math.max(0, index - 12), index + 12];
    const { startFrame } = truth[from]!;
    const audio = SPEECH.subarray(startFrame, truth[to]!.endFrame);
    const words = await align(SAID.with(index, written).slice(from, to + 1), audio);
    const { value, ...times } = words[index - from]!;
    expect(value).toBe(written);
    const inAll = { startFrame: startFrame! + times.startFrame!, endFrame: startFrame! + times.endFrame! };
    expectNear({ value, ...inAll }, truth[index]!);
  });
});

it('words typed anew are found alone, between their neighbours', async () => {
  const truth = await exact;
  const from = at('married');
  const [startFrame, endFrame] = [truth[from - 1]!.endFrame!, truth[from + 4]!.startFrame!];
  const words = await align(SAID.slice(from, from + 4), SPEECH.subarray(startFrame, endFrame));
  for (const [index, word] of words.entries()) {
    const times = { startFrame: startFrame + word.startFrame!, endFrame: startFrame + word.endFrame! };
    expectNear({ value: word.value, ...times }, truth[from + index]!);
  }
});

describe('a word that is not spoken gets no time, and the others keep theirs', { tags: 'slow' }, () => {
  it.for([
    ['one', ['refrigerator']],
    ['some in a row', ['crocodile', 'refrigerator', 'banana', 'helicopter']],
    ['numbers', ['1,250', '$5']],
  ] as const)('%s', async ([, added]) => {
    const index = at('dashwood');
    const words = await align(SAID.toSpliced(index, 0, ...added));
    expect(words.slice(index, index + added.length)).toEqual(added.map(value => ({ value })));
    const others = words.toSpliced(index, added.length);
    for (const [place, word] of (await exact).entries()) expectNear(others[place]!, word);
  });

  it('many at the ends', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ['refrigerator', 'helicopter'][index % 2]!);
    const words = await align([...many, ...SAID, ...many]);
    expect(words.map(isFound)).toEqual([
      ...many.map(() => false),
      ...SAID.map(() => true),
      ...many.map(() => false),
    ]);
  });

  it('the first and the last', async () => {
    const words = await align(['crocodile', ...SAID, 'helicopter']);
    expect(words.filter(word => !isFound(word)).map(({ value }) => value)).toEqual([
      'crocodile',
      'helicopter',
    ]);
  });

  it('without a pronunciation', async () => {
    const words = await align(['—', ...SAID, '???']);
    expect(words.filter(word => !isFound(word)).map(({ value }) => value)).toEqual(['—', '???']);
  });

  it('nothing is found in silence or in no audio', async () => {
    expect((await align(SAID, silence(8))).filter(isFound)).toEqual([]);
    expect((await align(SAID, new Int16Array())).filter(isFound)).toEqual([]);
    expect(await align([])).toEqual([]);
  });
});

it('of two equal words of which one is spoken, the right one is found', async () => {
  const index = at('amiable');
  const words = await align(SAID.toSpliced(index, 0, 'refrigerator', 'amiable', 'refrigerator'));
  expect(words.filter(isFound)).toHaveLength(SAID.length);
});

it.for([
  ['tight', 0.1],
  ['with some other speech around them', 2],
  ['with much other speech around them', 8],
] as const)('a sentence is found in audio %s', async ([, seconds]) => {
  const truth = await exact;
  const [from, to] = [at('unless'), at('had', at('unless'))];
  const startFrame = Math.max(0, truth[from]!.startFrame! - seconds * RATE);
  const words = await align(
    SAID.slice(from, to),
    SPEECH.subarray(startFrame, truth[to - 1]!.endFrame! + seconds * RATE),
  );
  for (const [index, word] of words.entries()) {
    expect(isFound(word), word.value).toBe(true);
    const times = { startFrame: startFrame + word.startFrame!, endFrame: startFrame + word.endFrame! };
    // The closure of a stop may count as a pause.
    expectNear({ value: word.value, ...times }, truth[from + index]!, 0.2 * RATE);
  }
});

it('rejects other languages and more than its limits', async () => {
  const inGerman = aligner.alignSpoken!(SPEECH, SAID, { language: 'de' });
  await expect(inGerman).rejects.toMatchObject({ code: 'invalid-argument' });
  const tooLong = aligner.alignSpoken!(silence(181), SAID);
  await expect(tooLong).rejects.toMatchObject({ code: 'invalid-argument' });
  const tooMany = aligner.alignSpoken!(
    SPEECH,
    Array.from({ length: 601 }, () => 'word'),
  );
  await expect(tooMany).rejects.toMatchObject({ code: 'invalid-argument' });
});
