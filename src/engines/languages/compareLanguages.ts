import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { RxscribeError } from '../../base/errors.ts';
import type { FromLanguageChild, ToLanguageChild } from './messages.ts';

/**
 * By language, how well its words explain speech; a process of its own does the work, and ends with the signal.
 *
 * @throws RxscribeError `engine-failed`; the signal's reason
 */
export async function compareLanguages(
  request: ToLanguageChild,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  signal?.throwIfAborted();
  const child = fork(new URL(`./child${extname(import.meta.filename)}`, import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for us.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Tokens and addresses in our environment are none of its business.
    env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, TMPDIR: process.env.TMPDIR },
  });
  const kill = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  let answer: FromLanguageChild | undefined;
  child.on('message', (message: FromLanguageChild) => {
    answer = message;
  });
  // An error here means that the process is going: its end tells.
  child.send(request, () => {});
  try {
    const [code, killedBy] = await once(child, 'close');
    signal?.throwIfAborted();
    if (answer?.type === 'scores') return answer.scores;
    const why = answer?.message ?? `the process ended (${killedBy ?? `exit ${code}`})`;
    throw new RxscribeError('engine-failed', `compare languages: ${why}`);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('engine-failed', 'compare languages: no process could be started', { cause });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
