import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pausesIn } from '../../../src/engines/moonshine/pauses.ts';
import { joined, readSampleSpeech } from '../../helpers/sampleSpeech.ts';

const LEVEL_FRAMES = 160;
/** A tone of so many levels of 10 ms. */
const tone = (levels: number, volume = 8000) =>
  Int16Array.from({ length: levels * LEVEL_FRAMES }, (_, at) => volume * Math.sin(at / 5));
const quiet = (levels: number) => tone(levels, 20);

describe('pauses of an utterance', () => {
  it('are the quiet stretches of 0.12 s and more, to 10 ms', () => {
    const parts = fc.array(
      fc.record({ loud: fc.integer({ min: 12, max: 60 }), soft: fc.integer({ min: 1, max: 60 }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(parts, fc.nat(3 * LEVEL_FRAMES), (pieces, lead) => {
        const audio = joined(
          new Int16Array(lead),
          ...pieces.flatMap(({ loud, soft }) => [tone(loud), quiet(soft)]),
        );
        const expected: { startFrame: number; endFrame: number }[] = [];
        let at = lead;
        for (const { loud, soft } of pieces) {
          at += loud * LEVEL_FRAMES;
          const span = { startFrame: at, endFrame: at + soft * LEVEL_FRAMES };
          if (soft >= 12) expected.push(span);
          at = span.endFrame;
        }
        // Silence in less than a twentieth of the time is not detected.
        fc.pre(pieces.reduce((sum, { soft }) => sum + soft, 0) * 10 > at / LEVEL_FRAMES);
        expect(pausesIn(audio, lead, audio.length)).toEqual(expected);
      }),
    );
  });

  it('are in order, and within the given range', () => {
    const speech = readSampleSpeech('sense-and-sensibility');
    fc.assert(
      fc.property(fc.nat(speech.length), fc.nat(10 * 16_000), (start, length) => {
        const end = Math.min(speech.length, start + length);
        let last = start;
        for (const { startFrame, endFrame } of pausesIn(speech, start, end)) {
          expect(startFrame).toBeGreaterThanOrEqual(last);
          expect(endFrame - startFrame).toBeGreaterThanOrEqual(12 * LEVEL_FRAMES);
          last = endFrame;
        }
        expect(last).toBeLessThanOrEqual(end);
      }),
    );
  });

  it('are the same at any loudness of speech', () => {
    const speech = readSampleSpeech('sense-and-sensibility');
    const softer = speech.map(sample => sample / 4);
    const [loud, soft] = [speech, softer].map(samples => pausesIn(samples, 0, samples.length));
    expect(loud!.length).toBeGreaterThan(4);
    const seconds = (pauses = loud!) =>
      pauses.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0) / 16_000;
    expect(Math.abs(seconds(loud) - seconds(soft))).toBeLessThan(0.05 * seconds(loud));
  });

  it('are absent in uniform sound, and in none', () => {
    expect(pausesIn(tone(100), 0, 16_000)).toEqual([]);
    expect(pausesIn(new Int16Array(16_000), 0, 16_000)).toEqual([]);
    expect(pausesIn(new Int16Array(0), 0, 0)).toEqual([]);
  });
});
