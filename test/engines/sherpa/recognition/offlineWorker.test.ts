import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { OfflineUtterances } from '../../../../src/engines/sherpa/recognition/offlineWorker.ts';
import { joined, silence } from '../../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const MESSAGE_FRAMES = RATE / 10;
const loudness = { isVoice: (window: Int16Array) => window.some(sample => sample > 300) };

/** Loud with a short rest every 50 ms, as speech is and noise is not. */
function voice(seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * RATE }, (_, frame) =>
    Math.floor(frame / 160) % 5 === 0 ? 100 : 8000,
  );
}

/** Soft sound that fades: the quietest place lies late in it. */
function fading(seconds: number): Int16Array {
  return Int16Array.from(
    { length: seconds * RATE },
    (_, frame) => (frame % 2 ? 1 : -1) * Math.max(5, Math.round(90 * (1 - frame / 8000))),
  );
}

/** Returns the parts of some audio that the model gets, in seconds. */
async function spansIn(audio: Int16Array, { pauseSeconds = 0.5, maxSeconds = 2 } = {}) {
  const spans: { from: number; to: number }[] = [];
  const utterances = new OfflineUtterances(
    { ...loudness, [Symbol.dispose]() {} },
    {
      pauseSeconds,
      maxSegmentFrames: maxSeconds * RATE,
      async recognize(samples, startFrame) {
        spans.push({ from: startFrame / RATE, to: (startFrame + samples.length) / RATE });
        return [];
      },
      emit() {},
    },
  );
  for (let at = 0; at < audio.length; at += MESSAGE_FRAMES) {
    await utterances.write(audio.subarray(at, at + MESSAGE_FRAMES));
  }
  await utterances.finish();
  return spans;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('utterances for offline models', () => {
  it('contain only speech when the limit falls into the pause after it', async () => {
    for (const maxSeconds of [2, 2.1, 2.25]) {
      const spans = await spansIn(joined(silence(1), voice(1.5), fading(3)), { maxSeconds });
      expect(spans.length).toBeGreaterThan(0);
      for (const { from, to } of spans) {
        expect(to - from).toBeGreaterThan(0.1);
        expect(from).toBeLessThan(2.5);
      }
      expect(spans.at(-1)!.to).toBeGreaterThan(2.4);
    }
  });

  it('do not begin repeatedly in a pause above their limit', async () => {
    const spans = await spansIn(joined(silence(1), voice(2), silence(8)), { pauseSeconds: 5, maxSeconds: 1 });
    expect(spans.every(({ from }) => from < 3)).toBe(true);
    expect(spans.at(-1)!.to).toBeGreaterThan(2.9);
  });

  it('leave no sliver after the last cut', async () => {
    const spansWith = (more: number) => spansIn(joined(silence(1), voice(1.58), silence(0.1), voice(more)));
    const [cut, ...rest] = await spansWith(0.04);
    expect(cut!.to).toBeCloseTo(2.63, 1);
    expect(rest).toEqual([]);
    expect(await spansWith(0.5)).toEqual([cut, { from: cut!.to, to: 3.18 }]);
  });

  it('keep no recognised audio, however long nobody pauses', async () => {
    const utterances = new OfflineUtterances(
      { ...loudness, [Symbol.dispose]() {} },
      { pauseSeconds: 1.5, maxSegmentFrames: 30 * RATE, recognize: async () => [], emit() {} },
    );
    const second = voice(1);
    // Buffers are released in the background.
    const megabytes = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers / 1e6;
    };
    const before = megabytes();
    for (let seconds = 0; seconds < 1800; seconds++) await utterances.write(second);
    await utterances.write(second);
    await expect.poll(() => megabytes() - before).toBeLessThan(20);
  });
});
