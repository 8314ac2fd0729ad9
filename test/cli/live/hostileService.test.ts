import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { rawServer } from '../../helpers/loopbackServer.ts';
import { connectedMessage, startStreamService } from '../../helpers/streamService.ts';

const SAMPLE = 'samples/not-ill-disposed.wav';
/** Clears the screen, sets the title, and the same with a character of one byte; writes from right to left. */
const ORDERS = '\u001b[2J\u001b]0;title\u0007 \u009b2J \u202Ereason\r\nerror: none';

/** Characters that a terminal obeys, but for the ends of lines. */
const obeyed = (text: string) => text.replaceAll('\n', '').match(/\p{C}/gu) ?? [];

async function closingService(code: number): Promise<string> {
  const service = await startStreamService(peer => {
    peer.say(connectedMessage);
    peer.socket.close(code, ORDERS);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service.url;
}

test.each([4002, 4001, 1011, 1001])(
  'the reason of a close with %i gives no orders to a terminal',
  async code => {
    const url = await closingService(code);
    const directory = await temporaryDirectory();
    const out = join(directory, 'talk.cassette.jsonl');
    const common = ['--url', url, '--token', 't', '--give-up-after', '0'];
    for (const args of [
      ['caption', SAMPLE],
      ['caption', SAMPLE, '--json'],
      ['record', SAMPLE, '--out', out],
    ]) {
      const { code, stdout, stderr } = await runCommand([...args, ...common]);
      expect(code).toBeGreaterThan(3);
      expect(stderr).toMatch(/^error: The stream ended without a transcript: .*reason.*$/m);
      expect(obeyed(stdout + stderr)).toEqual([]);
    }
  },
);

test('the status of an answer gives no orders to a terminal', async () => {
  const { url } = await rawServer(socket => {
    socket.end(Buffer.from('HTTP/1.1 401 \u001b[2Jno\u009b2J reason\r\nContent-Length: 0\r\n\r\n', 'latin1'));
  });
  for (const args of [
    ['caption', SAMPLE],
    ['transcribe', SAMPLE],
  ]) {
    const { stdout, stderr } = await runCommand([...args, '--url', url, '--token', 't']);
    expect(stderr).toMatch(/^error: /);
    expect(obeyed(stdout + stderr)).toEqual([]);
  }
});
