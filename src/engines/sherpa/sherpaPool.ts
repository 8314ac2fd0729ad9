/** Pools of processes that run sherpa-onnx. */
import { access } from 'node:fs/promises';
import { RxscribeError } from '../../base/errors.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { ProcessPool, type ProcessPoolOptions } from '../process/processPool.ts';
import { entryBeside, startWork } from '../process/work.ts';
import type { RecognizerResult } from '../recognizer.ts';
import type { SessionMethods, SherpaTask } from './tasks.ts';

/** A large model on a slow disk loads slowly. */
const LOAD_TIMEOUT_MS = 180_000;

/** A pool of processes with a model. */
export type SherpaPool = ProcessPool<SessionMethods, RecognizerResult, SherpaTask>;

/** Creates a pool of processes with a model. */
export function createSherpaPool(
  model: ModelDirectory,
  limits: Pick<
    ProcessPoolOptions<SessionMethods, RecognizerResult, SherpaTask>,
    'maxChannels' | 'maxProcesses' | 'channelsPerProcess'
  >,
): SherpaPool {
  return new ProcessPool({
    ...limits,
    task: 'open a sherpa-onnx session',
    check: () => requireModelFiles(model),
    start: setup =>
      startWork(entryBeside(import.meta, 'child'), {
        task: `run sherpa-onnx with '${model.path}'`,
        setup,
        readyTimeoutMs: LOAD_TIMEOUT_MS,
        complaintIn,
      }),
  });
}

/**
 * Makes sure that the files of a model can be read, since the library does not always name the missing one.
 *
 * @throws RxscribeError `engine-missing`
 */
export async function requireModelFiles(model: ModelDirectory): Promise<void> {
  for (const [name, file] of Object.entries(model.files)) {
    try {
      await access(file);
    } catch (cause) {
      const message = `Cannot load the model '${model.path}': its ${name} '${file}' is missing.`;
      throw new RxscribeError('engine-missing', message, { cause });
    }
  }
}

/** Returns the last line that the library logged, without its source location. */
function complaintIn(logged: string): string | undefined {
  const line = logged.split('\n').findLast(each => /\S/.test(each) && !/^\s*(at |Node\.js)/.test(each));
  return line?.replace(/^.*?\.(?:cc|h):\w+:\d+\s*/, '').slice(0, 300);
}
