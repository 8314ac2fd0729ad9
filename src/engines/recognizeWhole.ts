import { withAbort } from '../base/wait/withTimeout.ts';
import type { RecognizerResult, RecognizerSession } from './recognizer.ts';

/**
 * Recognises a whole recording in a session, and closes the session.
 *
 * @throws the signal's reason, even while no audio comes; the error of the session
 */
export async function recognizeWhole(
  session: RecognizerSession,
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  signal?: AbortSignal,
): Promise<readonly RecognizerResult[]> {
  const finals: RecognizerResult[] = [];
  session.results$.subscribe({
    next: result => void (result.type === 'final' && finals.push(result)),
    // `finish()` and `write()` reject with the same error.
    error: () => {},
  });
  try {
    await withAbort(writeAll(session, audio), signal);
    await session.finish();
  } finally {
    await session.close();
    signal?.throwIfAborted();
  }
  return finals;
}

async function writeAll(
  session: RecognizerSession,
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
): Promise<void> {
  for await (const samples of audio) await session.write(samples);
}
