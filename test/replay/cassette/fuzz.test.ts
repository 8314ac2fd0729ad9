// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cassetteDifferences } from '../../../src/replay/cassette/cassetteDifferences.ts';
import { CassetteError } from '../../../src/replay/cassette/cassetteError.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import { damaged } from '../../helpers/damagedCassette.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { recordSpeech, SPEECH, speechBlocks } from './recordings.ts';

test.each(['beside', 'inside'] as const)(
  'a damaged cassette is read or says where it is damaged, audio %s',
  async audio => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const blocks = speechBlocks(SPEECH, { gap: { from: 5, to: 8 } });
    await recordSpeech(path, { blocks, cassette: { path, audio } });
    const good = await readFile(path);
    const whole = await readCassette(path);
    let [read, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(damaged(good), async bytes => {
        await writeFile(path, bytes);
        const cassette = await readCassette(path).catch((error: unknown) => error);
        if (cassette instanceof Error) {
          expect(cassette).toBeInstanceOf(CassetteError);
          expect(cassette.message.length).toBeLessThan(1000);
          refused++;
          return;
        }
        const found = cassette as typeof whole;
        recordedRun(found);
        cassetteDifferences(whole, found, { places: true });
        read++;
      }),
      { numRuns: 400 },
    );
    // Both have to happen; otherwise one of them is not tested.
    expect(Math.min(read, refused)).toBeGreaterThan(0);
  },
  120_000,
);
