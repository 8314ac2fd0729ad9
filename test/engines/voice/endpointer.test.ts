import { describe, expect, it } from 'vitest';
import { createEndpointer, type SpeechEdge } from '../../../src/engines/voice/endpointer.ts';
import {
  createVoiceDetector,
  VOICE_WINDOW_FRAMES,
  type VoiceDetector,
} from '../../../src/engines/voice/voiceDetector.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const sentence = readSampleSpeech('not-ill-disposed');

/** Edges as [type, seconds]. */
async function edgesIn(
  audio: Int16Array,
  given: { readonly detector?: Pick<VoiceDetector, 'isVoice'>; readonly pauseSeconds?: number } = {},
) {
  using voice = await createVoiceDetector();
  const endpointer = createEndpointer(given.detector ?? voice, given.pauseSeconds);
  const edges: SpeechEdge[] = [];
  for (let at = 0; at + VOICE_WINDOW_FRAMES <= audio.length; at += VOICE_WINDOW_FRAMES) {
    const edge = endpointer.process(audio.subarray(at, at + VOICE_WINDOW_FRAMES));
    if (edge) edges.push(edge);
  }
  return edges.map(({ type, frame }) => [type, frame / RATE] as const);
}

/** A voice wherever the samples are not 0, on the level's gate too: the levels are far apart. */
function loud(...parts: readonly (readonly [level: number, seconds: number])[]): Int16Array {
  return joined(...parts.map(([level, seconds]) => new Int16Array(Math.round(seconds * RATE)).fill(level)));
}
const detector = { isVoice: (window: Int16Array) => window[0] !== 0 };

/** White noise, the same each time; `level` is its largest sample. */
function noise(level: number, seconds: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: seconds * RATE }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((seed / 2 ** 31 - 1) * level);
  });
}

/** A sung "ah" that stays as it is, the only sound that a voice makes for long without a change of its level. */
function vowel(seconds: number): Int16Array {
  const harmonics = Array.from({ length: 20 }, (_, index) => 130 * (index + 1));
  const strength = (hertz: number, formant: number) => 1 / (1 + ((hertz - formant) / 120) ** 2);
  return Int16Array.from({ length: seconds * RATE }, (_, at) =>
    harmonics.reduce(
      (sum, hertz) =>
        sum +
        4000 *
          (strength(hertz, 700) + 0.6 * strength(hertz, 1200)) *
          Math.sin((2 * Math.PI * hertz * at) / RATE),
      0,
    ),
  );
}

function mixed(one: Int16Array, other: Int16Array): Int16Array {
  return one.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (other[index] ?? 0))));
}

describe('the endpointer', () => {
  it('begins an utterance before its first voice, and ends it after the pause', async () => {
    const edges = await edgesIn(loud([0, 1], [1000, 1], [0, 0.6]), { detector });
    expect(edges).toEqual([
      ['start', 0.7],
      ['end', 2],
    ]);
  });

  it('keeps an utterance together over shorter pauses', async () => {
    const audio = loud([0, 1], [1000, 1], [0, 0.49], [1000, 1], [0, 0.9], [1000, 1]);
    const starts = (edges: Awaited<ReturnType<typeof edgesIn>>) =>
      edges.filter(([type]) => type === 'start').length;
    expect(starts(await edgesIn(audio, { detector }))).toBe(2);
    expect(starts(await edgesIn(audio, { detector, pauseSeconds: 0.3 }))).toBe(3);
    expect(starts(await edgesIn(audio, { detector, pauseSeconds: 1 }))).toBe(1);
  });

  it('ignores clicks', async () => {
    const clicks = loud([0, 1], [1000, 0.05], [0, 0.3], [1000, 0.05], [0, 1]);
    expect(await edgesIn(clicks, { detector })).toEqual([]);
    const words = loud([0, 1], [1000, 0.1], [0, 1], [1000, 0.1], [0, 1]);
    expect(await edgesIn(words, { detector })).toHaveLength(4);
  });

  it('extends an utterance back no further than to the last one', async () => {
    const audio = loud([0, 1], [1000, 1], [0, 0.2], [1000, 1], [0, 0.2]);
    const edges = await edgesIn(audio, { detector, pauseSeconds: 0.1 });
    expect(edges.map(([, seconds]) => seconds)).toEqual([0.7, 2, 2, 3.2]);
  });

  it('finds spoken sentences whole', async () => {
    const audio = joined(silence(2), sentence, silence(2), sentence, silence(2));
    const edges = await edgesIn(audio);
    const length = sentence.length / RATE;
    expect(edges.map(([type]) => type)).toEqual(['start', 'end', 'start', 'end']);
    const [start, end, nextStart, nextEnd] = edges.map(([, seconds]) => seconds) as [
      number,
      number,
      number,
      number,
    ];
    // In the recording somebody speaks from 0.2 to 2.7 s.
    expect(start).toBeGreaterThan(1.8);
    expect(start).toBeLessThan(2.2);
    expect(end).toBeGreaterThan(2 + 2.5);
    expect(end).toBeLessThan(2 + length + 0.2);
    expect(nextStart - start).toBeCloseTo(length + 2, 0);
    expect(nextEnd - end).toBeCloseTo(length + 2, 0);
  });

  it.each([
    ['noise', noise(3000, 20)],
    [
      'hum',
      Int16Array.from({ length: 20 * RATE }, (_, at) => 8000 * Math.sin((2 * Math.PI * 120 * at) / RATE)),
    ],
    [
      'a tone',
      Int16Array.from({ length: 20 * RATE }, (_, at) => 8000 * Math.sin((2 * Math.PI * 440 * at) / RATE)),
    ],
    ['noise that begins', joined(silence(5), noise(3000, 15))],
    ['noise that grows loud', joined(noise(300, 8), noise(5000, 12))],
    ['noise that grows soft', joined(noise(5000, 8), noise(300, 12))],
  ])('does not let %s keep an utterance open', async (_, audio) => {
    const edges = await edgesIn(audio);
    expect(edges.at(-1)?.[0]).not.toBe('start');
    expect(edges.length).toBeLessThanOrEqual(2);
  });

  it('treats a sustained vowel as speech, and finds all speech right after it', async () => {
    const edges = await edgesIn(joined(silence(1), vowel(8), sentence, silence(2)));
    expect(edges.map(([type]) => type)).toEqual(['start', 'end', 'start', 'end']);
    const [first, firstEnd, start, end] = edges.map(([, seconds]) => seconds);
    expect(first).toBeLessThan(1);
    expect(firstEnd).toBeGreaterThan(3);
    // In the recording somebody speaks from 0.2 to 2.7 s.
    expect(start).toBeLessThan(9.2);
    expect(end).toBeGreaterThan(9 + 2.5);
  });

  it('finds the sentences in noise, and in alternately loud and soft speech', async () => {
    const said = joined(
      silence(4),
      sentence,
      silence(2),
      sentence.map(sample => sample / 8),
      silence(2),
    );
    const noisy = mixed(joined(said, said), noise(60, (2 * said.length) / RATE));
    const edges = await edgesIn(noisy);
    expect(edges.filter(([type]) => type === 'start')).toHaveLength(4);
    expect(edges.at(-1)?.[0]).toBe('end');
  });

  it('finds the same speech when it is 30 or 40 dB softer', async () => {
    const said = joined(silence(1), sentence, silence(2), sentence, silence(1));
    const loud = await edgesIn(said);
    for (const decibels of [30, 40]) {
      const soft = await edgesIn(said.map(sample => Math.round(sample / 10 ** (decibels / 20))));
      expect(soft.map(([type]) => type)).toEqual(loud.map(([type]) => type));
      for (const [index, [, seconds]] of soft.entries()) {
        expect(Math.abs(seconds - (loud[index]?.[1] ?? 0))).toBeLessThan(0.3);
      }
    }
  });
});
