import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { findProgram } from '../../src/audio/source/program.ts';

/** Reason why ffmpeg cannot be used here, or undefined. */
export const noFfmpeg = findProgram('ffmpeg') ? undefined : 'needs ffmpeg';

/** A hook before each test, which skips those with the tag `tools` where there is no ffmpeg. */
export function needsFfmpeg({ task, skip }: TestContext): void {
  if (noFfmpeg && task.tags?.includes('tools')) skip(noFfmpeg);
}

/** Runs ffmpeg; the last argument is the file that it writes. */
export function runFfmpeg(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-y', '-loglevel', 'error', ...args]);
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`);
}
