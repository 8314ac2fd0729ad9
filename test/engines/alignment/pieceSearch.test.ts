import { expect, test } from 'vitest';
import { isUnlike } from '../../../src/engines/alignment/pieceSearch.ts';

const word = { startFrame: 0, endFrame: 30 * 160, misfit: 1, phones: 4 };

test.for([
  ['sounds as it should', {}, false],
  ['is unlike what is heard', { misfit: 6 }, true],
  ['is unlike it, but short', { misfit: 6, endFrame: 12 * 160 }, false],
  ['is drawn out longer than anybody would', { endFrame: 200 * 160 }, true],
  ['is as long as it may be', { endFrame: 180 * 160 }, false],
] as const)('a word that %s', ([, change, unlike]) => {
  expect(isUnlike({ ...word, ...change }, 1e-6)).toBe(unlike);
});

test('the probability of a word in the grammar does not count as misfit', () => {
  const costly = { ...word, misfit: 4.5 };
  expect(isUnlike(costly, 1)).toBe(true);
  expect(isUnlike(costly, 1e-6)).toBe(false);
});
