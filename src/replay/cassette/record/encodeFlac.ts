import { spawn } from 'node:child_process';
import { findProgram, programMissing, watchChild } from '../../../audio/source/program.ts';
import { RxscribeError } from '../../../base/errors.ts';

/**
 * Encodes a WAV file as FLAC with ffmpeg and replaces an existing FLAC file.
 *
 * @throws RxscribeError `program-missing` or `program-failed`
 */
export async function encodeFlac(from: string, to: string, signal: AbortSignal): Promise<void> {
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('record as FLAC', 'ffmpeg');
  // Without version and date in the file, the same samples give the same bytes.
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'error', '-y'];
  // Without the protocol, a name such as `-y` or `http://…` would be an option or an address.
  const files = ['-f', 'wav', '-i', `file:${from}`, ...plain, '-c:a', 'flac', '-f', 'flac', `file:${to}`];
  const child = spawn(program, [...quiet, ...files], { stdio: ['ignore', 'ignore', 'pipe'], signal });
  const { code, stderrTail, error } = await watchChild(child);
  signal.throwIfAborted();
  if (code === 0) return;
  const found = error?.message ?? (stderrTail || `ffmpeg ended with ${code}`);
  throw new RxscribeError('program-failed', `Cannot encode FLAC: ${found.replace(/\.$/, '')}.`, {
    cause: error,
  });
}
