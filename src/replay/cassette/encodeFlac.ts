import { spawn } from 'node:child_process';
import { findProgram, programMissing, watchChild } from '../../audio/source/program.ts';
import { RxscribeError } from '../../base/errors.ts';

/**
 * Makes a FLAC file of a WAV file, with ffmpeg; one that is there is replaced.
 *
 * @throws RxscribeError `program-missing` or `program-failed`
 */
export async function encodeFlac(from: string, to: string, options: { readonly signal?: AbortSignal } = {}) {
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('record as FLAC', 'ffmpeg');
  // Without its version and the date in the file, the same samples give the same bytes.
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'error', '-y'];
  // Without the protocol before it a name such as `-y` or `http://…` would be an order.
  const files = ['-f', 'wav', '-i', `file:${from}`, ...plain, '-c:a', 'flac', '-f', 'flac', `file:${to}`];
  const child = spawn(program, [...quiet, ...files], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(options.signal && { signal: options.signal }),
  });
  const { code, complaint, error } = await watchChild(child);
  options.signal?.throwIfAborted();
  if (code === 0) return;
  const found = error?.message ?? (complaint || `ffmpeg ended with ${code}`);
  throw new RxscribeError('program-failed', `record as FLAC: ${found}`, { cause: error });
}
