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

test('frames of a connection have the places of its audio, and added silence that of the audio before', () => {
  const place = new AudioClock(GAPS).placesOf(
    [
      { kind: 'silence', frames: 20 },
      // Earlier audio was sent on another connection.
      { kind: 'source', start: 60, frames: 40 },
      { kind: 'silence', frames: 30 },
      { kind: 'source', start: 150, frames: 50 },
    ],
    40,
  );
  expect([0, 20, 30, 60, 75, 90, 100, 140, 200].map(place)).toEqual([
    60, 60, 70, 100, 100, 100, 110, 150, 150,
  ]);
});

test('without audio, frames count from the start of the connection', () => {
  expect([0, 7].map(new AudioClock([]).placesOf([], 40))).toEqual([40, 47]);
});
