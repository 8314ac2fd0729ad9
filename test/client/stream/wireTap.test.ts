import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ConnectionTap, TappedConnection } from '../../../src/client/stream/wireTap.ts';
import { CLOSE } from '../../../src/protocol/closeCodes.ts';
import { blocksOf } from '../../helpers/streamBlocks.ts';
import { streamRun } from '../../helpers/streamRun.ts';
import { connectedMessage, endPolitely, startStreamService } from '../../helpers/streamService.ts';

/** Records the calls of a tap, one line each. */
function listening() {
  const connections: TappedConnection[] = [];
  const lines: string[] = [];
  const tap = {
    query: () => {},
    connect(connection: TappedConnection): ConnectionTap {
      connections.push(connection);
      const number = connections.length;
      const say = (line: string) => lines.push(`${number} ${line}`);
      return {
        opened: () => say('opened'),
        audio: ({ startFrame, frames, bytes }) => say(`audio ${startFrame} ${frames} ${bytes.length}`),
        padding: ({ frames }) => say(`padding ${frames}`),
        sent: text => say(`sent ${text}`),
        received: text => say(`received ${JSON.parse(text).type}`),
        receivedBinary: () => say('binary'),
        closed: ({ by, code, reason, httpStatus = '' }) => say(`closed ${by} ${code} ${reason}${httpStatus}`),
      };
    },
  };
  return { tap, connections, lines };
}

describe('a tap on the wire', () => {
  test('gets all that passes over a connection, in order, and no token', async () => {
    await using service = await startStreamService();
    const { tap, connections, lines } = listening();
    const options = { url: service.url, token: 'secret-of-mine', language: 'en', tap };
    const run = streamRun(from(blocksOf(1, 1600)), options);
    expect(await run.end).toBeUndefined();
    expect(lines.filter(line => !line.includes('received connected'))).toEqual([
      '1 opened',
      '1 audio 0 1600 3200',
      '1 sent EOS',
      '1 received final',
      `1 closed service 1000 ${CLOSE.endOfInput.reason}`,
    ]);
    expect(lines).toContain('1 received connected');
    expect(connections).toMatchObject([
      { originFrame: 0, query: { language: 'en', contentType: { kind: 'raw' } } },
    ]);
    expect(JSON.stringify(connections)).not.toContain('secret-of-mine');
    expect(connections[0]!.address).not.toContain('?');
  });

  test('gets each connection of a stream that breaks', async () => {
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage);
      await peer.bytes(3200);
      if (service.peers.length === 1) peer.tcp.resetAndDestroy();
      else await endPolitely(peer);
    });
    const { tap, lines } = listening();
    const resume = { baseDelayMs: 1, maxDelayMs: 2 };
    const run = streamRun(from(blocksOf(1, 1600)), { url: service.url, tap, resume });
    expect(await run.end).toBeUndefined();
    expect(lines.filter(line => line.includes('closed'))).toEqual([
      '1 closed network 1006 ',
      `2 closed service 1000 ${CLOSE.endOfInput.reason}`,
    ]);
  });

  test('is notified that this side ended a connection', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const { tap, lines } = listening();
    const run = streamRun(from(blocksOf(1, 1600)), { url: service.url, tap });
    await run.until('connected');
    run.subscription.unsubscribe();
    expect(lines.at(-1)).toBe('1 closed client 1000 ');
  });

  test('is notified of a handshake that failed', async () => {
    const { tap, lines } = listening();
    const run = streamRun(from(blocksOf(1, 1600)), { url: 'http://127.0.0.1:9', tap });
    expect(await run.end).toBeInstanceOf(Error);
    expect(lines).toEqual(['1 closed network 1006 ']);
  });
});
