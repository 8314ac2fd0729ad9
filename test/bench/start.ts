import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const CLI = fileURLToPath(new URL('src/cli.ts', root));
const SAMPLE = fileURLToPath(new URL('samples/sense-and-sensibility.wav', root));
/** Start of the sample's first word. */
const SPEECH_AT_MS = 330;
const RUNS = 5;

/** From the start of `rxscribe caption FILE`, at real time, to its first caption of speech; next to a Node that does nothing. */
export async function run(): Promise<void> {
  await firstCaption(); // what a first run compiles is kept for the next
  const rows = [];
  for (let run = 1; run <= RUNS; run++)
    rows.push({ run, ...(await firstCaption()), 'bare Node (ms)': bareNode() });
  console.table(rows);
  console.log(
    `Speech begins ${SPEECH_AT_MS} ms into the file, and a file is played no sooner than it is spoken.`,
  );
}

async function firstCaption() {
  const start = performance.now();
  const child = spawn(process.execPath, ['--conditions=source', CLI, 'caption', SAMPLE, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let connectedMs = Number.NaN;
  for await (const line of createInterface(child.stdout)) {
    const message = JSON.parse(line) as { type: string; status?: string };
    if (message.status === 'connected') connectedMs = performance.now() - start;
    if (message.type !== 'partial') continue;
    const captionMs = performance.now() - start;
    child.kill('SIGKILL');
    return { 'recogniser ready (ms)': Math.round(connectedMs), 'first caption (ms)': Math.round(captionMs) };
  }
  throw new Error('there was no caption');
}

function bareNode(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return Math.round(performance.now() - start);
}
