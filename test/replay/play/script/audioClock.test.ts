import { expect, test } from 'vitest';
import { AudioClock } from '../../../../src/replay/play/script/audioClock.ts';

const GAPS = [
  { startFrame: 100, frames: 50 },
  { startFrame: 300, frames: 10 },
];

test('gaps of a source do not count as audio', () => {
  const clock = new AudioClock(GAPS);
  expect([0, 100, 120, 150, 300, 310, 400].map(frame => clock.toAudio(frame))).toEqual([
    0, 100, 100, 100, 250, 250, 340,
  ]);
  expect(clock.pieces(40, 400)).toEqual([
    { kind: 'source', start: 40, frames: 60 },
    { kind: 'source', start: 150, frames: 150 },
    { kind: 'source', start: 310, frames: 90 },
  ]);
  expect(clock.pieces(120, 200)).toEqual([{ kind: 'source', start: 150, frames: 50 }]);
});
