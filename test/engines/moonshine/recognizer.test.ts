// @module-tag tools

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRecognizer } from '../../../src/cli/local/recognizer.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { joined, readSampleSpeech, readSampleText, silence } from '../../helpers/sampleSpeech.ts';
import { hear, listen, recognizerContract } from '../recognizerContract.ts';
import { finalsOf, moonshine, textsOf } from './moonshine.ts';

const { found } = await findRecognizer(process.env);
const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');
const RATE = 16_000;

/** Finals without the marks at the pauses, which suit what follows only in recordings. */
const withoutMarks = (finals: readonly RecognizerResult[]) =>
  finals.map(({ words, ...final }) => ({
    ...final,
    words: words.map(word => ({ ...word, written: word.written?.replace(/[.,]$/, '') })),
  }));

recognizerContract('Moonshine', {
  create: () => createMoonshineRecognizer({ maxSessions: 2, processes: 1 }),
  speech: () => joined(sentence.subarray(0, 24_000), silence(0.8), sentence),
  phrases: { usable: ['ill-disposed', 'Kubernetes', 'C++ 17', 'GPRS'], unusable: '★ Norland' },
  partialsByClock: true,
  ...(!found && { missing: 'needs the speech model: npm run setup' }),
});

/** As the reference has them. */
const spokenWords = (texts: readonly string[]) =>
  texts.flatMap(text => text.replaceAll('mr', 'mister').replaceAll('-', ' ').split(' '));

describe('Moonshine on real speech', { timeout: 120_000 }, () => {
  it('gets nearly all words right, sentence by sentence, in their places', async context => {
    const finals = finalsOf(await hear(await moonshine(context), reading));
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, spokenWords(textsOf(finals))).wer).toBeLessThan(0.1);
    expect(finals).toHaveLength(5);
    // Where each of the sentences starts and ends in the recording, in seconds.
    const spans = [
      [0.2, 7.1],
      [7.7, 10.7],
      [11.3, 16.6],
      [17.2, 23.3],
      [23.8, 27.2],
    ] as const;
    for (const [index, [start, end]] of spans.entries()) {
      expect(Math.abs(finals[index]!.startFrame / RATE - start)).toBeLessThan(0.3);
      expect(Math.abs(finals[index]!.endFrame / RATE - end)).toBeLessThan(0.5);
    }
  });

  it('writes sentences, unless that is switched off', async context => {
    const writing = finalsOf(await hear(await moonshine(context), sentence));
    expect(writing[0]!.words.map(({ written }) => written).join(' ')).toMatch(/^He was not .* young man\.$/);
    const plain = finalsOf(await hear(await moonshine(context, { writes: false }), sentence));
    expect(textsOf(plain)).toEqual(textsOf(writing));
    expect(plain[0]!.words.every(word => !('written' in word))).toBe(true);
  });

  it('recognises a whole recording like a live one, with marks at the pauses that suit what follows', async context => {
    const recognizer = await moonshine(context);
    const whole = await recognizer.recognize([reading]);
    expect(withoutMarks(whole)).toEqual(withoutMarks(finalsOf(await hear(recognizer, reading))));
    const ends = whole.map(({ words }) => words.at(-1)?.written);
    expect(ends).toHaveLength(5);
    expect(ends[1]).toMatch(/^man,?$/);
    expect([ends[0], ends[3], ends[4]]).toEqual(['them.', 'was.', 'himself.']);
  });

  it.for([0.1, 0.3, 5])(
    'recognises close sentences whole and live with all words, at pauses of %d s',
    { tags: 'slow' },
    async (pauseSeconds, context) => {
      const recognizer = await moonshine(context, { pauseSeconds });
      // The second and the third sentence, with 0.4 s instead of 0.8 s between them.
      const seconds = (from: number, to: number) => reading.subarray(from * RATE, to * RATE);
      const close = joined(seconds(7.3, 10.8), seconds(11.2, 16.8));
      const whole = await recognizer.recognize([close]);
      expect(withoutMarks(whole)).toEqual(withoutMarks(finalsOf(await hear(recognizer, close))));
      const reference = readSampleText('sense-and-sensibility').slice(22, 44);
      expect(scoreWords(reference, spokenWords(textsOf(whole))).wer).toBeLessThan(0.15);
    },
  );

  it('keeps its clock over pauses of any length', async context => {
    const spoken = joined(sentence, silence(0.7), sentence, silence(3.333), sentence, silence(1), sentence);
    const finals = finalsOf(await hear(await moonshine(context), spoken));
    const seconds = [0, 0.7, 4.033, 5.033].map((pauses, index) => (index * sentence.length) / RATE + pauses);
    expect(finals).toHaveLength(4);
    // The first word of the file has no audio before it, which moves its start.
    const offsets = finals.map((final, index) => final.words[1]!.startFrame / RATE - seconds[index]!);
    for (const offset of offsets) expect(Math.abs(offset - offsets[0]!)).toBeLessThan(0.1);
  });

  /**
   * The voice detector judges windows of 10 ms, and the encoder positions of 24 ms from the start of the utterance: silence
   * of whole windows moves everything by just its length, once the detector has heard some silence.
   */
  it('shifts its times with the silence before', async context => {
    const recognizer = await moonshine(context);
    const heard = async (windows: number) =>
      finalsOf(await hear(recognizer, joined(new Int16Array(windows * 160), sentence)));
    const [expected] = await heard(100);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 101, max: 1000 }), async windows => {
        const by = (windows - 100) * 160;
        const [moved] = await heard(windows);
        expect(moved!.words).toEqual(
          expected!.words.map(word => ({
            ...word,
            startFrame: word.startFrame + by,
            endFrame: word.endFrame + by,
          })),
        );
      }),
      { numRuns: 3 },
    );
  });

  it('ends an utterance at a flush between two words, and has all words of both parts once', async context => {
    const recognizer = await moonshine(context);
    await using session = await recognizer.open();
    const { results } = listen(session);
    const [, was] = finalsOf(await hear(recognizer, sentence))[0]!.words;
    await session.write(sentence.subarray(0, was!.endFrame));
    await session.flush();
    expect(textsOf(finalsOf(results))).toEqual(['he was']);
    await session.flush();
    await session.write(joined(sentence.subarray(was!.endFrame), silence(1), sentence));
    const flushed = session.flush();
    await session.finish();
    await flushed;
    const finals = finalsOf(results);
    expect(spokenWords(textsOf(finals)).join(' ')).toMatch(
      /^he was not an ill \w+ young man he was not an ill \w+ young man$/,
    );
    const frames = finals.flatMap(({ words }) => words.flatMap(word => [word.startFrame, word.endFrame]));
    expect(frames).toEqual(frames.toSorted((one, other) => one - other));
    expect(Math.abs(finals[1]!.words[0]!.startFrame - was!.endFrame)).toBeLessThan(0.2 * RATE);
    const again = finals[2]!.words[1]!.startFrame - sentence.length - RATE;
    expect(Math.abs(again - was!.startFrame)).toBeLessThan(0.1 * RATE);
  });

  it('has the final of a flush in a pause at once, as at the end of the pause', async context => {
    const recognizer = await moonshine(context, { pauseSeconds: 5 });
    const paused = joined(sentence, silence(0.4));
    const [expected] = finalsOf(await hear(await moonshine(context), joined(paused, silence(1))));
    await using session = await recognizer.open();
    const { results } = listen(session);
    await session.write(paused);
    await session.flush();
    expect(finalsOf(results)).toEqual([expected]);
    await session.finish();
    expect(finalsOf(results)).toHaveLength(1);
  });

  it('has nearly all words of a reading that is flushed in the middle of its sentences', async context => {
    const recognizer = await moonshine(context);
    const sentences = finalsOf(await hear(recognizer, reading));
    await using session = await recognizer.open();
    const { results } = listen(session);
    let from = 0;
    for (const { words } of sentences) {
      const to = words[Math.floor(words.length / 2)]!.endFrame;
      await session.write(reading.subarray(from, to));
      await session.flush();
      from = to;
    }
    await session.write(reading.subarray(from));
    await session.finish();
    const finals = finalsOf(results);
    expect(finals).toHaveLength(2 * sentences.length);
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, spokenWords(textsOf(finals))).wer).toBeLessThan(0.15);
  });

  it('cuts speech above the segment limit, on its clock, with few words lost', async context => {
    const recognizer = await moonshine(context);
    const cut = finalsOf(await hear(recognizer, reading, { maxSegmentSeconds: 5 }));
    expect(cut.some(final => final.cut)).toBe(true);
    for (const { startFrame, endFrame } of cut) expect(endFrame - startFrame).toBeLessThanOrEqual(5 * RATE);
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, spokenWords(textsOf(cut))).wer).toBeLessThan(0.25);
    const expected = finalsOf(await hear(recognizer, reading)).flatMap(({ words }) => words);
    const words = cut.flatMap(final => final.words);
    const near = words.filter(word =>
      expected.some(
        other => other.value === word.value && Math.abs(other.startFrame - word.startFrame) < 0.3 * RATE,
      ),
    );
    expect(near.length).toBeGreaterThan(0.8 * words.length);
  });

  it('cuts after 15 s at the latest, and continues with all speech', async context => {
    // Speech of some 27 s in which nobody pauses for as long as ends an utterance.
    const recognizer = await moonshine(context, { pauseSeconds: 5 });
    const finals = finalsOf(await hear(recognizer, reading, { maxSegmentSeconds: 300 }));
    expect(finals.map(({ cut }) => cut ?? false)).toEqual([true, true, false].slice(-finals.length));
    expect(finals.length).toBeGreaterThanOrEqual(2);
    for (const { startFrame, endFrame } of finals)
      expect(endFrame - startFrame).toBeLessThanOrEqual(15 * RATE);
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, spokenWords(textsOf(finals))).wer).toBeLessThan(0.15);
  });

  it.for([
    [0.4, 2],
    [1.5, 1],
  ] as const)(
    'splits two sentences at a pause of %d s into %d utterances',
    async ([pauseSeconds, count], context) => {
      const twice = joined(sentence, silence(0.6), sentence);
      expect(finalsOf(await hear(await moonshine(context, { pauseSeconds }), twice))).toHaveLength(count);
    },
  );
});

describe('options of Moonshine', () => {
  it.each([
    [{ pauseSeconds: 0.05 }, "Option 'pauseSeconds' must be from 0.1 to 5, not 0.05."],
    [{ pauseSeconds: 6 }, 'must be from 0.1 to 5'],
    [{ pauseSeconds: Number.NaN }, 'must be from 0.1 to 5'],
    [{ maxSessions: 0 }, "'maxSessions' must be at least 1"],
    [{ maxSessions: Number.NaN }, "'maxSessions' must be at least 1"],
    [{ processes: 0 }, "'processes' must be an integer of at least 1"],
    [{ processes: 1.5 }, "'processes' must be an integer of at least 1"],
    [
      { model: { path: '/model', kind: 'whisper', roles: [], files: {} } },
      "Option 'model' must be of kind 'moonshine', not 'whisper'.",
    ],
  ] as const)('are rejected: %o', (options, message) => {
    expect(() => createMoonshineRecognizer(options)).toThrow(message);
  });

  it.for([0.9, 301, Number.NaN])(
    'are rejected for a session: a segment of %d s',
    async (seconds, context) => {
      const opening = (await moonshine(context)).open({ maxSegmentSeconds: seconds });
      await expect(opening).rejects.toMatchObject({ code: 'invalid-argument' });
    },
  );
});
