// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import { cassetteDifferences } from '../../../src/replay/cassette/cassetteDifferences.ts';
import { CassetteError } from '../../../src/replay/cassette/cassetteError.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { recordedRun } from '../../../src/replay/cassette/recordedRun.ts';
import type { FaultSchedule } from '../../../src/replay/play/faults/faultSchedule.ts';
import { playServer } from '../../../src/replay/play/server/playServer.ts';
import { playSource } from '../../../src/replay/play/source/playSource.ts';
import { observeSession } from '../../../src/replay/session/observeSession.ts';
import { inVirtualTime } from '../../../src/replay/time/inVirtualTime.ts';
import { damaged } from '../../helpers/damagedCassette.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { recordSpeech, SPEECH, speechBlocks } from '../cassette/recordings.ts';

/** Longer than any client waits for a silent service. */
const MAX_SECONDS = 3600;

/** Plays one cassette to a client with the audio of another and returns the failure, if any. */
function played(cassette: Cassette, source: Cassette, faults: FaultSchedule): Promise<unknown> {
  return inVirtualTime(
    async (clock, signal) => {
      await using server = await playServer(cassette, { clock, faults });
      const live = transcribe({ url: server.url, token: server.token, clock });
      const source$ = playSource(source, { speed: 1, clock });
      return (await observeSession(source$, live, { clock, signal })).failure;
    },
    { maxSeconds: MAX_SECONDS },
  ).catch((error: unknown) => {
    expect(error).not.toMatchObject({ code: 'timeout' });
    return error;
  });
}

test.each(['beside', 'inside'] as const)(
  'a damaged cassette says where it is damaged, or is played to the end or to a typed error, also after a break, audio %s',
  async audio => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'talk.cassette.jsonl');
    const whole = join(directory, 'whole.cassette.jsonl');
    const blocks = speechBlocks(SPEECH, { gap: { from: 5, to: 8 } });
    await recordSpeech(path, { blocks, cassette: { path, audio } });
    const good = await readFile(path);
    await writeFile(whole, good);
    const source = await readCassette(whole);
    let [read, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(damaged(good), async bytes => {
        await writeFile(path, bytes);
        const cassette = await readCassette(path).catch((error: Error) => error);
        if (cassette instanceof Error) {
          expect(cassette).toBeInstanceOf(CassetteError);
          expect(cassette.message.length).toBeLessThan(1000);
          refused++;
          return;
        }
        recordedRun(cassette);
        cassetteDifferences(source, cassette, { places: true });
        for (const faults of [[], [[{ kind: 'cut', afterSeconds: 0.5 }]]] as const) {
          const failure = await played(cassette, source, faults);
          if (failure !== undefined) expect(failure).toBeInstanceOf(RxscribeError);
        }
        read++;
      }),
      { numRuns: 400 },
    );
    // Both have to happen; otherwise one of them is not tested.
    expect(read).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(0);
  },
  300_000,
);
