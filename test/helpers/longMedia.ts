import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { MediaRun } from './mediaMain.ts';
import { wav } from './wavBytes.ts';

export interface LongMedia {
  readonly path: string;
  readonly seconds: number;
  readonly channels: number;
  /** Speech at 16 kHz, interleaved, at the end of the file after silence. */
  readonly speech: Int16Array;
}

/** Makes a WAV file that takes no more of the disk than its speech: the silence is a hole in it. */
export async function writeLongMedia({ path, seconds, channels, speech }: LongMedia): Promise<void> {
  const dataBytes = seconds * 16_000 * channels * 2;
  await using file = await open(path, 'w');
  await file.write(wav(new Uint8Array(0), { channels }, dataBytes));
  await file.write(new Uint8Array(speech.buffer), 0, speech.byteLength, 44 + dataBytes - speech.byteLength);
}

/** Transcribes media in a process of its own. */
export async function transcribeApart(path: string, input: unknown = {}): Promise<MediaRun> {
  const program = new URL('./mediaMain.ts', import.meta.url).pathname;
  const args = ['--conditions=source', program, path, JSON.stringify(input)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(stdout);
}
