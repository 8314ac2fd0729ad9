import { describe, expect, test } from 'vitest';
import { createVoiceDetector, VOICE_WINDOW_FRAMES } from '../../../src/engines/voice/voiceDetector.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';

async function voicedShare(samples: Int16Array): Promise<number> {
  using detector = await createVoiceDetector();
  let voiced = 0;
  const windows = Math.floor(samples.length / VOICE_WINDOW_FRAMES);
  for (let window = 0; window < windows; window++) {
    const at = window * VOICE_WINDOW_FRAMES;
    if (detector.isVoice(samples.subarray(at, at + VOICE_WINDOW_FRAMES))) voiced++;
  }
  return voiced / windows;
}

describe('the voice detector', () => {
  test('finds speech, and none in silence', async () => {
    expect(await voicedShare(readSampleSpeech('not-ill-disposed'))).toBeGreaterThan(0.5);
    expect(await voicedShare(new Int16Array(160_000))).toBe(0);
  });

  test('rejects windows of another length', async () => {
    using detector = await createVoiceDetector();
    expect(() => detector.isVoice(new Int16Array(100))).toThrow(RangeError);
  });
});
