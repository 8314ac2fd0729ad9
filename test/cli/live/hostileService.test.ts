import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { rawServer } from '../../helpers/loopbackServer.ts';
import {
  closeAtEnd,
  connectedMessage,
  finalMessage,
  partialMessage,
  startStreamService,
} from '../../helpers/streamService.ts';

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

/** Embeddings, overrides and isolates that are never closed, controls of C0 and C1, and separators of lines. */
const HOSTILE = 'a\u202Ab\u202Bc\u202Dd\u202Ee\u2066f\u2067g\u2068h\u001b[2Ji\u009bJj\u2028k\u2029l\u0007';
const ORDERED = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u009b\u2028\u2029\u0007', '\u001b[2J'];
/** Marks of Hebrew and Arabic, a Persian word and an emoji with joiners. */
const HARMLESS = '\u05d0\u200f!\u200e \u061c\u0645\u06cc\u200c\u062e \u{1f468}\u200d\u{1f469}';

test.each([{}, { columns: 80 }])(
  'words give no orders to a terminal, and files keep them: %j',
  async terminal => {
    const text = `${HOSTILE} ${HARMLESS}`;
    await using service = await startStreamService(async peer => {
      peer.say(connectedMessage, partialMessage(HOSTILE, 0, 0.5), finalMessage(text, 0, 1));
      await closeAtEnd(peer);
    });
    const out = join(await temporaryDirectory(), 'talk.json');
    const args = ['caption', SAMPLE, '--speed', 'max', '--out', out, '--status', ...service.args];
    const { code, stdout, stderr } = await runCommand(args, terminal);
    expect(code).toBe(0);
    const printed = stdout + stderr;
    for (const order of ORDERED) expect(printed).not.toContain(order);
    expect(printed).toContain(HARMLESS);
    const { monologues } = JSON.parse(await readFile(out, 'utf8'));
    expect(monologues[0].elements.map(({ value }: { value: string }) => value).join('')).toContain('\u202E');
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
