import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOverrunReader } from '../../src/audio/overruns.ts';

/** What arecord 1.2.8 writes, in some of its languages, beside what else there may be. */
const SAID =
  "Recording raw data 'stdin'\noverrun!!! (at least 120.500 ms long)\n" +
  'Überlauf!!! (mindestens 30,250 ms lang)\noverrun !!! (au moins 1.000 ms de long)\n12 ms\n';

test('losses are read in every language', () => {
  expect(createOverrunReader()(SAID)).toBe(151.75);
});

test('losses are read once, however the messages are cut', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(SAID.length)), cuts => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), SAID.length];
      const read = createOverrunReader();
      const losses = edges.slice(1).map((end, i) => read(SAID.slice(edges[i]!, end)));
      expect(losses.reduce((sum, ms) => sum + ms, 0)).toBe(151.75);
    }),
  );
});

test('a recorder that says much without a line is not kept', () => {
  const read = createOverrunReader();
  expect(read('x'.repeat(1_000_000))).toBe(0);
  expect(read('\noverrun!!! (at least 2.000 ms long)\n')).toBe(2);
});
