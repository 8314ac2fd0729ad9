import { dirname, join } from 'node:path';
import { probeSeconds } from '../../../audio/source/probe.ts';
import { audioNameIn } from '../../cassette/audioNames.ts';
import type { Suite, SuiteCase } from '../suite.ts';

/**
 * Returns the seconds of audio that a suite streams; undefined when the length of a file is unknown.
 *
 * @throws the signal's reason
 */
export async function suiteSeconds(
  { cases }: Pick<Suite, 'cases'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  let total = 0;
  for (const { input } of cases) {
    // Read one after another, because the result is only informative and must not delay streams.
    const seconds = await inputSeconds(input, signal);
    signal.throwIfAborted();
    if (seconds === undefined) return undefined;
    total += seconds;
  }
  return total;
}

/** Returns the length of an input; undefined also for an unreadable one, which its stream reports. */
async function inputSeconds(
  { kind, path }: SuiteCase['input'],
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    if (kind === 'audio') return await probeSeconds(path, { signal });
    const beside = audioNameIn(path);
    return beside === undefined ? undefined : await probeSeconds(join(dirname(path), beside), { signal });
  } catch {
    return undefined;
  }
}
