// @module-tag tools

import { describe, expect, it } from 'vitest';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { hear } from '../recognizerContract.ts';
import { tinyModel } from './embeddedFiles.ts';
import { finalsOf, moonshine, textsOf } from './moonshine.ts';

const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');

/** Made-up names of syllables, no two alike. */
function madeUpNames(count: number): readonly string[] {
  const syllables = ['zor', 'vel', 'quim', 'bax', 'dro', 'fex', 'gul', 'hiv', 'jax', 'kro', 'lup', 'myx'];
  const more = ['nok', 'plu', 'rix', 'sko', 'tev', 'umb', 'wux', 'yor', 'zep', 'chu', 'drax', 'glim'];
  return Array.from({ length: count }, (_, index) => {
    const at = (place: number) => [...syllables, ...more][Math.floor(index / 24 ** place) % 24]!;
    const name = [0, 1, 2].map(at).join('');
    return name[0]!.toUpperCase() + name.slice(1);
  });
}

describe('phrases of Moonshine', { timeout: 240_000 }, () => {
  it('are recognised where they would be missed, live and in a recording, and written as given', async context => {
    const recognizer = await moonshine(context, { model: await tinyModel() });
    const phrases = ['Ill-Disposed'];
    expect(textsOf(finalsOf(await hear(recognizer, sentence))).join(' ')).not.toMatch(/ill.disposed/);
    const live = finalsOf(await hear(recognizer, sentence, { phrases }));
    expect(textsOf(live)).toEqual(['he was not an ill-disposed young man']);
    expect(await recognizer.recognize([sentence], { phrases })).toEqual(live);
  });

  it('do not change the confidence of a word', async context => {
    const recognizer = await moonshine(context, { model: await tinyModel() });
    const [plain] = finalsOf(await hear(recognizer, sentence));
    const [favoured] = finalsOf(await hear(recognizer, sentence, { phrases: ['Ill-Disposed'] }));
    const sure = (final = plain) => final!.words.find(({ value }) => value.startsWith('ill'))!.confidence!;
    expect(sure(favoured)).toBeLessThan(sure(plain));
    expect(sure(favoured)).toBeGreaterThan(0);
  });

  it('are named with a reason when they are unusable', async context => {
    const recognizer = await moonshine(context);
    const phrases = ['Okonkwo', 'C++ 17', '★ Norland', '€ 5', 'AT&T', 'price of $20', 'Zoë', 'дом'];
    const faults = await recognizer.inspectPhrases(phrases);
    const named = faults.map(({ phrase }) => phrase);
    expect(named).toContain('★ Norland');
    expect(named).toContain('price of $20');
    expect(named).not.toContain('Okonkwo');
    expect(named).not.toContain('C++ 17');
    expect(named).not.toContain('AT&T');
    expect(named.every(phrase => phrases.includes(phrase))).toBe(true);
    for (const { reason } of faults) expect(reason.length).toBeGreaterThan(5);
    expect(await recognizer.inspectPhrases(madeUpNames(6000))).toEqual([]);
  });

  it('change no word when they are not spoken, 6,000 made-up names', async context => {
    const recognizer = await moonshine(context);
    const phrases = madeUpNames(6000);
    expect(new Set(phrases).size).toBe(6000);
    const said = [joined(sentence, silence(0.8)), reading];
    const plain = await recognizer.recognize(said);
    expect(textsOf(await recognizer.recognize(said, { phrases }))).toEqual(textsOf(plain));
    // And nobody else hears of them.
    expect(await recognizer.recognize(said)).toEqual(plain);
  });

  it('are recognised among 6,000 others', async context => {
    const recognizer = await moonshine(context);
    const phrases = [...madeUpNames(5999), 'Ill-Disposed'];
    expect(textsOf(await recognizer.recognize([sentence], { phrases })).join(' ')).toMatch(
      /^he was not an ill.disposed young man$/,
    );
  });
});
