import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  audioFrames,
  type SourceGaps,
  toAudio,
  toSource,
  withGap,
} from '../../../../src/client/stream/recovery/sourceTime.ts';

interface Stretch {
  readonly gapFrames: number;
  readonly audioFrames: number;
}

const stretches: fc.Arbitrary<readonly Stretch[]> = fc.array(
  fc.record({ gapFrames: fc.nat(20), audioFrames: fc.integer({ min: 1, max: 20 }) }),
  { minLength: 1, maxLength: 6 },
);

/** For each frame of the source, whether there is audio. */
const framesOf = (list: readonly Stretch[]): readonly boolean[] =>
  list.flatMap(({ gapFrames, audioFrames }) => [
    ...new Array<boolean>(gapFrames).fill(false),
    ...new Array<boolean>(audioFrames).fill(true),
  ]);

function gapsOf(list: readonly Stretch[]): SourceGaps {
  let gaps: SourceGaps = [];
  let startFrame = 0;
  for (const stretch of list) {
    const endFrame = startFrame + stretch.gapFrames;
    if (stretch.gapFrames > 0) gaps = withGap(gaps, { startFrame, endFrame });
    startFrame = endFrame + stretch.audioFrames;
  }
  return gaps;
}

test('the audio before a frame is that of a list of all frames', () => {
  fc.assert(
    fc.property(stretches, list => {
      const [gaps, frames] = [gapsOf(list), framesOf(list)];
      const audioBefore = (frame: number) => frames.slice(0, frame).filter(Boolean).length;
      const places = Array.from({ length: frames.length + 1 }, (_, frame) => frame);
      expect(places.map(frame => toAudio(gaps, frame))).toEqual(places.map(audioBefore));
      const middle = frames.length >> 1;
      expect(places.map(frame => audioFrames(gaps, middle, frame))).toEqual(
        places.map(frame => frames.slice(middle, frame).filter(Boolean).length),
      );
    }),
  );
});

test('the frame after so much audio is the next that has audio itself', () => {
  fc.assert(
    fc.property(stretches, list => {
      const [gaps, frames] = [gapsOf(list), framesOf(list)];
      const places = frames.flatMap((hasAudio, frame) => (hasAudio ? [frame] : []));
      // Behind the last gap the audio goes on.
      expect(places.map((_, audioFrame) => toSource(gaps, audioFrame))).toEqual(places);
      expect(toSource(gaps, places.length)).toBe(frames.length);
    }),
  );
});
