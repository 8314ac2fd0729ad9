import { expect, it } from 'vitest';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { loadMoonshine, type MoonshineDecoding } from '../../../src/engines/moonshine/model.ts';
import { embeddedFiles } from '../../../src/engines/moonshine/recognizer.ts';
import { START_TOKEN } from '../../../src/engines/moonshine/tokens.ts';
import { createWasmRuntime } from '../../../src/engines/moonshine/wasmRuntime.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';

it('beams that share a step, and a beam that forgets tokens, have nearly the logits of their tokens alone', {
  tags: 'tools',
  timeout: 120_000,
}, async context => {
  await needsRecognizer(context);
  const model = await loadMoonshine(await createWasmRuntime(), await embeddedFiles());
  const audio = toFloats(readSampleSpeech('not-ill-disposed').subarray(0, 16_000));

  /** The last logits of the beams, and the attention of the first head. */
  async function results(decode: (decoding: MoonshineDecoding) => ReturnType<MoonshineDecoding['step']>) {
    const decoding = await model.decode(audio);
    const steps = await decode(decoding);
    const found = steps.map(({ logits, attention: [head] }) => [...logits.slice(-32_768), ...(head ?? [])]);
    decoding.close();
    return found;
  }
  const alone = (...tokens: readonly number[]) =>
    results(async decoding => {
      await decoding.step([[START_TOKEN]]);
      for (const token of tokens.slice(0, -1)) await decoding.step([[token]]);
      return decoding.step([tokens.slice(-1)]);
    });
  const together = await results(async decoding => {
    await decoding.step([[START_TOKEN, 940, 471, 451]]);
    await decoding.truncate(2);
    await decoding.step([[300], [400], [500]], [0, 0, 0]);
    await decoding.step([[600], [700]], [2, 0]);
    return decoding.step([[800], [900]], [1, 0]);
  });
  const expected = await Promise.all([alone(940, 300, 700, 800), alone(940, 500, 600, 900)]);
  const distances = together.map(values => expected.map(([other = []]) => distance(values, other)));
  expect(distances).toHaveLength(2);
  // Activations are quantised with one scale for all beams, which changes the results a little.
  const [[first = 0, notFirst = 0] = [], [notSecond = 0, second = 0] = []] = distances;
  expect(first).toBeLessThan(notFirst / 4);
  expect(second).toBeLessThan(notSecond / 4);
});

/** Root of the sum of squared differences. */
function distance(some: readonly number[], others: readonly number[]): number {
  return Math.hypot(...some.map((value, at) => value - (others[at] ?? 0)));
}
