// @module-tag slow

import { expect, test } from 'vitest';
import { returnMemory } from '../../src/engines/native/returnMemory.ts';

const MIB = 1024 * 1024;
const PIECE_BYTES = 60 * 1024;

const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };

test.runIf(header.glibcVersionRuntime)('free memory between used blocks is returned', async () => {
  let pieces = Array.from({ length: 4000 }, () => Buffer.allocUnsafeSlow(PIECE_BYTES).fill(1));
  const before = process.memoryUsage.rss();
  pieces = pieces.filter((_, index) => index % 20 === 19);
  await returnMemory();
  expect(before - process.memoryUsage.rss()).toBeGreaterThan(100 * MIB);
  expect(pieces.length).toBe(200);
});
