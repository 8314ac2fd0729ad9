import { expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { BLOCK_WINDOWS, blocksOf } from '../../../src/engines/diarization/blocks.ts';
import { COEFFICIENTS } from '../../../src/engines/diarization/mfcc.ts';
import { resegmented } from '../../../src/engines/diarization/resegment.ts';

const BLOCKS = 240;
/** A second in the middle of a turn, which was taken for the other speaker. */
const [FROM, TO] = [55, 65];

/**
 * Returns the speakers of the blocks of 24 s of two voices, 12 s each.
 *
 * @param likeness of the second to the other voice: 1 for the same
 * @param pause true when 0.1 s before it and 0.1 s at its end are silent
 */
function speakersOf({ likeness, pause }: { readonly likeness: number; readonly pause: boolean }) {
  const random = seeded(7);
  const windows = BLOCKS * BLOCK_WINDOWS;
  const features = new Float32Array(windows * COEFFICIENTS);
  const voice = new Uint8Array(windows).fill(1);
  for (let window = 0; window < windows; window++) {
    const block = Math.floor(window / BLOCK_WINDOWS);
    const sound = block >= BLOCKS / 2 ? 1 : block >= FROM && block < TO ? likeness : 0;
    for (let i = 0; i < COEFFICIENTS; i++) {
      features[window * COEFFICIENTS + i] = sound + 4 * (random() + random() + random() - 1.5);
    }
  }
  if (pause) for (const at of [FROM, TO]) voice.fill(0, (at - 1) * BLOCK_WINDOWS, at * BLOCK_WINDOWS);
  const blocks = blocksOf({ chunks: [{ features, voice }], windows } as never, [{ from: 0, to: windows }]);
  const labels = blocks.map((_, index) => (index < BLOCKS / 2 && (index < FROM || index >= TO) ? 0 : 1));
  return resegmented(blocks, labels);
}

const inTheMiddle = (speakers: readonly number[]) => speakers.slice(FROM + 2, TO - 2);

test('a second that resembles the other speaker is a turn only between pauses', () => {
  const likeness = 1;
  expect(new Set(inTheMiddle(speakersOf({ likeness, pause: false })))).toEqual(new Set([0]));
  expect(new Set(inTheMiddle(speakersOf({ likeness, pause: true })))).toEqual(new Set([1]));
});

test('a second with little likeness is none even there', () => {
  expect(new Set(inTheMiddle(speakersOf({ likeness: 0.5, pause: true })))).toEqual(new Set([0]));
});
