// @module-tag tools

import { describe, expect, it } from 'vitest';
import { createSpeechSpans, type SpeechSpan } from '../../../src/engines/voice/speechSpans.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { joined, readSampleSpeech, readSampleText } from '../../helpers/sampleSpeech.ts';
import { waves } from '../../helpers/waves.ts';
import { hear } from '../recognizerContract.ts';
import { decoderPool, finalsOf, moonshine, textsOf } from './moonshine.ts';

const RATE = 16_000;

/** Sounds that nobody would take for speech, by name: mono at 16 kHz, loud for the middle of the time. */
function soundsWithoutSpeech(seconds: number): readonly (readonly [name: string, Int16Array])[] {
  return Object.entries(waves()).map(([name, wave]) => {
    const samples = Int16Array.from({ length: seconds * RATE }, (_, at) => {
      // Silence around it, so that it begins and ends, as an utterance does.
      const isHeard = at > RATE && at < (seconds - 1) * RATE;
      return isHeard ? Math.max(-1, Math.min(1, 0.4 * wave(at / RATE))) * 32_767 : 0;
    });
    return [name, samples];
  });
}

/** Loud and soft ones. */
const sounds = soundsWithoutSpeech(10).flatMap(([name, samples]) => [
  [name, samples] as const,
  [`${name}, softly`, samples.map(sample => sample / 10)] as const,
]);

/** Sounds that the voice detector takes for speech. */
async function spansOf(audio: Int16Array): Promise<readonly SpeechSpan[]> {
  const found: SpeechSpan[] = [];
  using spans = createSpeechSpans(await createVoiceDetector(), {
    pauseSeconds: 0.5,
    maxFrames: 15 * RATE,
    onSpan: span => found.push(span),
  });
  spans.write(audio);
  spans.finish();
  return found;
}

describe('sound without speech', { timeout: 300_000 }, () => {
  it('sometimes passes the voice detector, so that the model has to decide', async () => {
    const spans = await Promise.all(sounds.map(([, samples]) => spansOf(samples)));
    expect(spans.filter(found => found.length > 0).length).toBeGreaterThan(30);
  });

  it('has no words and is not inaudible, neither during it nor at its end', async context => {
    const recognizer = await moonshine(context);
    const words: string[] = [];
    for (const [name, samples] of sounds) {
      const results = await hear(recognizer, samples, { pieces: 1600 });
      const found = results.filter(({ type, words }) => type === 'final' || words.length > 0);
      words.push(...textsOf(found).map(text => `${name}: ${text}`));
    }
    expect(words).toEqual([]);
  });

  it('has no words during it, however often it is decoded', async context => {
    const pool = await decoderPool(context);
    const words: string[] = [];
    let decoded = 0;
    for (const [name, audio] of sounds) {
      for (const { startFrame, endFrame } of await spansOf(audio)) {
        for (let to = startFrame + 0.65 * RATE; to < endFrame; to += 0.8 * RATE) {
          const samples = audio.slice(startFrame, to);
          for (const isQuick of [true, false]) {
            const request = { samples, start: 0, isPartial: false, isQuick } as const;
            const answer = await pool.decode({ priority: 'partial', request: () => request });
            words.push(...answer!.words.map(({ value }) => `${name}: ${value}`));
            decoded += 1;
          }
        }
      }
    }
    expect(decoded).toBeGreaterThan(100);
    expect(words).toEqual([]);
  });

  it('costs the following speech no word', async context => {
    const recognizer = await moonshine(context);
    const sentence = readSampleSpeech('not-ill-disposed');
    const expected = readSampleText('not-ill-disposed');
    for (const name of ['white noise', 'drums', 'a ringback tone', 'clicks']) {
      const [, sound] = sounds.find(([other]) => other === name)!;
      const finals = finalsOf(await hear(recognizer, joined(sound, sentence)));
      const words = textsOf(finals).flatMap(text => text.split(/[ -]/));
      expect(finals.length, name).toBe(1);
      // The words "ill disposed" are not heard each time.
      expect(scoreWords(expected, words).wer, name).toBeLessThan(0.3);
    }
  });
});
