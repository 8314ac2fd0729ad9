import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Work of a process that writes until it is killed. */
export interface SpoolWriting {
  readonly path: string;
  /** Frames of each chunk. Default 5. */
  readonly frames?: number;
  /** Chunks, each with a note behind it. Default without end. */
  readonly rounds?: number;
  /** Number of the newest chunks that are not released. Default all. */
  readonly needed?: number;
  /** True when another process left a spool. */
  readonly goOn?: boolean;
}

interface Written {
  /** Sizes of the file of notes: at first, after each chunk and after each note. */
  readonly sizes: readonly number[];
  /** Chunks, and notes, that were taken. */
  readonly chunks: number;
  readonly notes: number;
  /** Code and message. */
  readonly error?: string | undefined;
}

/** Runs the process until it kills itself. */
export function writeAndDie(writing: SpoolWriting): Promise<Written> {
  return run(writing, {});
}

/** Kills the process somewhere in the middle of what it writes. */
export function writeUntilKilled(writing: SpoolWriting): Promise<Written> {
  return run(writing, { killAfterBytes: 1 + Math.random() * 10_000 });
}

/** Lets it write until no file may be larger: a quarter of a megabyte. */
export function writeUntilFull(writing: SpoolWriting): Promise<Written> {
  return run(writing, { limit: 'ulimit -f 256; ' });
}

interface Circumstances {
  /** Bytes of its output. */
  readonly killAfterBytes?: number;
  readonly limit?: string;
}

async function run(
  writing: SpoolWriting,
  { killAfterBytes = Number.POSITIVE_INFINITY, limit = '' }: Circumstances,
): Promise<Written> {
  const program = new URL('./spoolWriterMain.ts', import.meta.url).pathname;
  const args = ['-c', `${limit}exec "$@"`, 'bash', process.execPath, '--conditions=source', program];
  const child = spawn('bash', [...args, JSON.stringify(writing)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let printed = '';
  child.stdout.setEncoding('latin1').on('data', text => {
    printed += text;
    if (printed.length >= killAfterBytes) child.kill('SIGKILL');
  });
  const closed = once(child.stdout, 'close');
  const [, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error(`wanted a writer that was killed, found ${signal}`);
  await closed;
  const lines = printed.trim().split('\n');
  const sizes = lines.filter(line => /^\d+$/.test(line)).map(Number);
  const error = lines.find(line => !/^\d+$/.test(line));
  const taken = sizes.length - 1;
  return { sizes, chunks: Math.ceil(taken / 2), notes: Math.floor(taken / 2), error };
}
