import { startChildProcess } from '../process/childProcess.ts';
import { entryBeside, startWork } from '../process/work.ts';
import type { LanguageMethods } from './child.ts';
import type { WordFit } from './wordLoopDecoder.ts';

/**
 * Returns how well the words of each language explain speech, mono at 16 kHz. A child process does the work; aborting
 * kills it.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export async function compareLanguages(
  samples: Int16Array,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, WordFit>>> {
  signal?.throwIfAborted();
  const child = startChildProcess(entryBeside(import.meta, 'child'));
  const work = startWork<LanguageMethods>(child, { task: 'compare languages' });
  try {
    return await work.openChannel().call('compare', [samples], { signal });
  } finally {
    await work.kill();
  }
}
