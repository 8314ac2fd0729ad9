import { lastValueFrom, toArray } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import { transcribe } from '../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../src/replay/cassette/cassette.ts';
import {
  type CassetteServer,
  type PlayServerOptions,
  playServer,
} from '../../src/replay/play/server/playServer.ts';
import { playSource } from '../../src/replay/play/source/playSource.ts';
import { observeSession } from '../../src/replay/session/observeSession.ts';
import type { SessionRun } from '../../src/replay/session/sessionRun.ts';
import { inVirtualTime } from '../../src/replay/time/inVirtualTime.ts';
import type { LiveEvent } from '../../src/transcript/model/events.ts';

/** A service that plays a cassette until the end of the test. */
export async function playedServer(cassette: Cassette, options?: PlayServerOptions): Promise<CassetteServer> {
  const server = await playServer(cassette, options);
  onTestFinished(() => server.close());
  return server;
}

/** Streams the audio of a cassette to a service in lock-step, as fast as that goes. */
export function streamedTo(
  server: CassetteServer,
  cassette: Cassette,
  options: Partial<TranscribeOptions> = {},
): Promise<readonly LiveEvent[]> {
  const live = transcribe({ url: server.url, token: server.token, ...options });
  return lastValueFrom(playSource(cassette, { server }).pipe(live, toArray()));
}

/** Streams a cassette at real time to a service with faults, in virtual time. */
export function faultyRun(
  cassette: Cassette,
  faults: NonNullable<PlayServerOptions['faults']>,
  options: PlayServerOptions & Pick<TranscribeOptions, 'resume'> & { readonly source?: Cassette } = {},
): Promise<SessionRun> {
  const { source = cassette, resume = {}, ...others } = options;
  return inVirtualTime(async clock => {
    await using server = await playServer(cassette, { latency: 'recorded', ...others, clock, faults });
    const live = transcribe({ url: server.url, token: server.token, clock, resume });
    const run = await observeSession(playSource(source, { speed: 1, clock }), live, { clock });
    server.check();
    return run;
  });
}
