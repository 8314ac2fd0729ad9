import { extname } from 'node:path';
import { startWorkProcess } from '../process/workProcess.ts';
import type { HeardLanguages, ToLanguageChild } from './messages.ts';

/**
 * What the words of each language make of speech; a process of its own does the work, and ends with the signal.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export async function compareLanguages(
  request: ToLanguageChild,
  signal?: AbortSignal,
): Promise<HeardLanguages['heard']> {
  signal?.throwIfAborted();
  const entry = new URL(`./child${extname(import.meta.filename)}`, import.meta.url);
  const child = startWorkProcess<ToLanguageChild, HeardLanguages>(entry, { task: 'compare languages' });
  const kill = () => void child.kill();
  signal?.addEventListener('abort', kill, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      child.listen(({ heard }) => resolve(heard));
      void child.ended.then(reject);
      child.send(request);
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', kill);
    await child.kill();
  }
}
