/**
 * Prints measures of the source: `npm run measures`. Lines of code are those that are not blank and not a comment. The ways
 * of a chunk and of a word are the files on the call stack between operator and socket, for a connected stream.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { filter, firstValueFrom, Subject } from 'rxjs';
import { WebSocket, WebSocketServer } from 'ws';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { transcribe } from '../../src/client/stream/transcribe.ts';
import { linesOfCode, readCode } from '../helpers/linesOfCode.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Prints one row: a name, and figures. */
function row(name: string, ...figures: readonly (string | number)[]): void {
  console.log(`  ${name.padEnd(44)}${figures.map(figure => String(figure).padStart(9)).join('')}`);
}

function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

function printFolders(top: 'src' | 'test'): void {
  const files = readCode(top);
  const folders = Map.groupBy(files, ({ path }) => (path.includes('/') ? path.split('/')[0]! : '(files)'));
  heading(`${top}: files, lines of code`);
  const linesOf = (some: typeof files) => some.reduce((sum, { text }) => sum + linesOfCode(text), 0);
  for (const [name, some] of [...folders].toSorted()) row(name, some.length, linesOf(some));
  row('in all', files.length, linesOf(files));
}

function printStream(): void {
  const files = readCode('src/client/stream');
  const unions = files.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?type (\w+)[^=;]*=\s*\n(?:[^;]*?\n)??\s*\|[^;]*?readonly type:/gm)].map(
      ([, name]) => name,
    ),
  );
  const classes = files.filter(({ text }) => /^\s+(readonly )?#\w+/m.test(text)).map(({ path }) => path);
  heading('src/client/stream');
  row('files', files.length);
  row(
    'lines of code',
    files.reduce((sum, { text }) => sum + linesOfCode(text), 0),
  );
  row('unions by type', unions.length);
  console.log(`    ${unions.join(', ')}`);
  row('classes with private state', classes.length);
  console.log(`    ${classes.join(', ')}`);
}

/** Counts findings of Biome with rules of its own. */
function printFindings(): void {
  const folder = mkdtempSync(join(tmpdir(), 'measures-'));
  const rules = {
    complexity: { noExcessiveLinesPerFunction: { level: 'warn', options: { maxLines: 40 } } },
    style: { noNonNullAssertion: 'warn' },
  };
  writeFileSync(
    join(folder, 'biome.json'),
    JSON.stringify({ root: true, linter: { rules: { ...rules, preset: 'none' } } }),
  );
  heading('src, test');
  try {
    for (const [name, rule] of [
      ['functions of more than 40 lines', 'complexity/noExcessiveLinesPerFunction'],
      ['assertions that a value is there (!)', 'style/noNonNullAssertion'],
    ] as const) {
      const counts = ['src', 'test'].map(top => {
        const args = [
          'lint',
          `--only=${rule}`,
          '--max-diagnostics=none',
          '--reporter=json',
          `--config-path=${folder}`,
        ];
        const text = execFileSync(join(root, 'node_modules/.bin/biome'), [...args, top], {
          ...{ cwd: root, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] },
        });
        return JSON.parse(text).diagnostics.length;
      });
      row(name, ...counts);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const spreads = (top: string) =>
    readCode(top).reduce(
      (sum, { text }) => sum + [...text.matchAll(/\.\.\.\([^()]*(?:\([^()]*\)[^()]*)*&& \{/g)].length,
      0,
    );
  row('conditional spreads', spreads('src'), spreads('test'));
}

/** Returns the files of `src` with a function that an action called, by the coverage of the engine. */
async function filesRunBy(profiler: Session, action: () => void): Promise<readonly string[]> {
  await profiler.post('Profiler.takePreciseCoverage');
  action();
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const isRun = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
    const [, path] = /^file:.*\/src\/((?!.*node_modules).*\.ts)$/.exec(url) ?? [];
    return isRun && path && !url.includes('node_modules') ? [path] : [];
  });
}

function printWay(name: string, files: readonly string[], stack: readonly string[]): void {
  const own = stack.filter((path, at) => path !== stack[at - 1]);
  heading(`${name}: ${files.length} files, ${own.length - new Set(own).size} returns`);
  console.log(`    calls: ${own.join(' > ')}`);
  console.log(`    all: ${files.toSorted().join(', ')}`);
}

/** Files of `src` on the call stack, the outermost first. */
function stackNow(): readonly string[] {
  const { stack = '' } = new Error();
  const lines = stack.split('\n').filter(line => !line.includes('node_modules'));
  return lines.flatMap(line => /\/src\/([\w/.-]+\.ts)/.exec(line)?.[1] ?? []).toReversed();
}

/** Sends one chunk over a connected stream, and takes one word back. */
async function printWays(): Promise<void> {
  Error.stackTraceLimit = 200;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', socket => socket.send(JSON.stringify({ type: 'connected', id: 'id' })));
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const audio$ = new Subject<AudioBlock>();
  const live = transcribe({ url: `ws://127.0.0.1:${port}`, token: 'token', sampleRate: 16_000 });
  const connected = firstValueFrom(live.status$.pipe(filter(({ type }) => type === 'connected')));
  let sent: readonly string[] = [];
  let received: readonly string[] = [];
  let socket: WebSocket | undefined;
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function record(this: WebSocket, ...args: Parameters<typeof send>) {
    if (args[0] instanceof Uint8Array) {
      sent = stackNow();
      socket = this;
    }
    return send.apply(this, args);
  } as typeof send;
  const subscription = audio$.pipe(live).subscribe(({ type }) => {
    if (type === 'final') received = stackNow();
  });
  await connected;
  const profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const give = (startFrame: number) =>
    audio$.next({ startFrame, sampleRate: 16_000, channels: 1, samples: new Float32Array(1600) });
  // The first block is slower: the format becomes known.
  give(0);
  const chunk = await filesRunBy(profiler, () => give(1600));
  const word = { type: 'text', value: 'word', ts: 0, end_ts: 0.1, confidence: 1 };
  const message = JSON.stringify({ type: 'final', ts: 0, end_ts: 0.1, elements: [word] });
  const back = await filesRunBy(profiler, () => socket?.emit('message', Buffer.from(message), false));
  profiler.disconnect();
  subscription.unsubscribe();
  server.close();
  printWay('The way of a chunk', chunk, sent);
  printWay('The way of a word', back, received);
}

printFolders('src');
printFolders('test');
printFindings();
printStream();
await printWays();
