import { extname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { startWorkProcess, type WorkProcess } from '../process/workProcess.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { FromDecoder, ToDecoder } from './messages.ts';

/** Loading takes 0.3 s on an idle machine. */
const LOAD_TIMEOUT_MS = 60_000;

/** A process with a native decoder in it, good for one session. */
export type DecoderProcess = WorkProcess<ToDecoder, FromDecoder>;

/** Starts a process and loads a decoder in it. */
export function startDecoder(
  files: PocketSphinxFiles,
  options: { readonly clock?: Clock } = {},
): DecoderProcess {
  const entry = new URL(`./child${extname(import.meta.filename)}`, import.meta.url);
  const decoder = startWorkProcess<ToDecoder, FromDecoder>(entry, {
    task: 'run PocketSphinx',
    readyWithinMs: LOAD_TIMEOUT_MS,
    clock: options.clock,
    complaintIn: log => log.split('\n').findLast(line => /^(ERROR|FATAL)/.test(line)),
  });
  decoder.send({ type: 'load', files });
  return decoder;
}
