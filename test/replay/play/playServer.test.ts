import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TranscribeOptions } from '../../../src/client/stream/options.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import type { Cassette } from '../../../src/replay/cassette/cassette.ts';
import {
  type CassetteServer,
  type PlayServerOptions,
  playServer,
} from '../../../src/replay/play/playServer.ts';
import { playSource } from '../../../src/replay/play/playSource.ts';
import { madeCassette } from '../../helpers/madeCassette.ts';

async function server(cassette: Cassette, options?: PlayServerOptions): Promise<CassetteServer> {
  const server = await playServer(cassette, options);
  onTestFinished(() => server.close());
  return server;
}

function stream(cassette: Cassette, server: CassetteServer, options: Partial<TranscribeOptions> = {}) {
  const { url, token } = server;
  return lastValueFrom(
    playSource(cassette, { server }).pipe(transcribe({ url, token, ...options }), toArray()),
  );
}

describe('a service that plays a cassette', () => {
  test('says what was recorded, in its order', async () => {
    const cassette = madeCassette({ seconds: 6 });
    const service = await server(cassette);
    const events = await stream(cassette, service);
    const recorded = cassette.lines.flatMap(line =>
      line.type === 'message' ? [(line.message as { type: string }).type] : [],
    );
    expect(events.map(({ type }) => type).filter(type => type !== 'silence')).toEqual(recorded);
    expect(service.mismatches).toEqual([]);
    service.check();
  });
});
