import { describe, expect, it } from 'vitest';
import { KNOWN_FRAMES, knownBefore, wordsBefore } from '../../../src/engines/moonshine/continued.ts';
import type { DecodedWord } from '../../../src/engines/moonshine/decodedWords.ts';
import { encodeText } from '../../../src/engines/moonshine/tokens.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { finalsOf, moonshine, textsOf } from './moonshine.ts';

/** Words of half a second each. */
const wordsOf = (text: string, from = 0): readonly DecodedWord[] =>
  text.split(' ').map((written, index) => {
    const startFrame = from + index * 8000;
    const value = written.toLowerCase().replace(/[.,]/g, '');
    return { value, written, startFrame, endFrame: startFrame + 8000, confidence: 1 };
  });
const writtenOf = (words: readonly DecodedWord[]) => words.map(({ written }) => written).join(' ');

const spokenWords = (texts: readonly string[]) => texts.flatMap(text => text.split(/[ -]/));

describe('a cut utterance', () => {
  it('ends as the words behind the cut say, and without a mark when there are none', () => {
    const around = wordsOf('one whose work, for humanity.');
    expect(writtenOf(wordsBefore(3 * 8000, around))).toBe('one whose work,');
    expect(writtenOf(wordsBefore(5 * 8000, around))).toBe('one whose work, for humanity');
  });

  it('passes its last words to the next utterance, as many as are near enough', () => {
    const words = wordsOf('one whose work, for humanity has won');
    const cut = 7 * 8000;
    const count = Math.floor((KNOWN_FRAMES - 1600) / 8000);
    expect(knownBefore(cut, words)).toEqual({
      from: (7 - count) * 8000,
      tokens: encodeText(writtenOf(words.slice(-count))),
    });
    expect(knownBefore(cut + KNOWN_FRAMES, words)).toBeUndefined();
    expect(knownBefore(cut, [])).toBeUndefined();
  });

  it('leaves no capital and no full stop within a sentence, and each word once', {
    tags: 'tools',
    timeout: 60_000,
  }, async context => {
    const recognizer = await moonshine(context);
    const reading = readSampleSpeech('sense-and-sensibility').subarray(7 * 16_000, 35 * 16_000);
    const whole = finalsOf(await recognizer.recognize([reading]));
    const results: Awaited<ReturnType<typeof recognizer.recognize>>[number][] = [];
    await using session = await recognizer.open({ maxSegmentSeconds: 4 });
    session.results$.subscribe(result => results.push(result));
    for (const piece of piecesOf(reading, 1600)) await session.write(piece);
    await session.finish();
    const finals = finalsOf(results);
    const cut = finals.filter(final => final.cut);
    expect(cut.length).toBeGreaterThan(1);
    for (const [index, final] of finals.entries()) {
      if (!final.cut) continue;
      expect(final.words.at(-1)!.written).not.toMatch(/[.?!]$/);
      expect(finals[index + 1]!.words[0]!.written).toMatch(/^[a-z]/);
    }
    expect(spokenWords(textsOf(finals))).toEqual(spokenWords(textsOf(whole)));
  });
});
