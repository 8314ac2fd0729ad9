import { spawnSync } from 'node:child_process';
import { findProgram } from '../../src/audio/source/program.ts';

/** Why ffmpeg cannot be used here, or undefined. */
export const noFfmpeg = findProgram('ffmpeg') ? undefined : 'needs ffmpeg';

/** Runs ffmpeg; the last argument is the file that it writes. */
export function runFfmpeg(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-y', '-loglevel', 'error', ...args]);
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`);
}
