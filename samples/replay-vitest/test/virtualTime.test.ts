import { transcribe } from 'rxscribe';
import {
  type CassetteServer,
  inVirtualTime,
  observeSession,
  type PlayServerOptions,
  playSource,
  readCassette,
} from 'rxscribe/replay';
import { describe, expect } from 'vitest';
import { RECORDING, replayTest, SAID } from './replayTest.ts';

type Play = (cassette: string, options: PlayServerOptions) => Promise<CassetteServer>;

/** Streams the recording at real-time speed on a virtual clock. */
async function replayed(play: Play, faults: PlayServerOptions['faults'] = []) {
  const cassette = await readCassette(RECORDING);
  return inVirtualTime(async clock => {
    const { url, token } = await play(RECORDING, { clock, latency: 'recorded', faults });
    const live = transcribe({ url, token, clock });
    return observeSession(playSource(cassette, { speed: 1, clock }), live, { speed: 1, clock });
  });
}

describe('in real time, on a virtual clock', () => {
  replayTest('finals are prompt, captions readable, and no audio is lost', async ({ play }) => {
    const run = await replayed(play);
    expect(run).toHaveWerBelow(0.3, SAID);
    expect(run).toHaveDelayBelow(1);
    expect(run).toHaveDelayBelow(1, { of: 'firstPartial' });
    expect(run).toCover(0.95);
    expect(run).toKeepCaptionRules('netflix');
  });

  replayTest('a slow service is noticed', async ({ play }) => {
    expect(await replayed(play, [[{ kind: 'delay', ms: 3000 }]])).not.toHaveDelayBelow(3);
  });
});
