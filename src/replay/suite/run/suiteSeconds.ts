import { dirname, join } from 'node:path';
import { probeSeconds } from '../../../audio/source/probe.ts';
import { audioNameIn } from '../../cassette/audioNames.ts';
import type { Suite, SuiteCase } from '../suite.ts';

/**
 * How much audio a suite streams, in seconds, with all its repeats, as far as files say it; undefined where one does not.
 *
 * @throws the signal's reason
 */
export async function suiteSeconds(
  { cases, repeats }: Pick<Suite, 'cases' | 'repeats'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  let total = 0;
  for (const { input } of cases) {
    // One after the other: it is only for people to look at, and streams have to be at their time.
    const seconds = await inputSeconds(input, signal);
    signal.throwIfAborted();
    if (seconds === undefined) return undefined;
    total += seconds;
  }
  return total * repeats;
}

/** Undefined also of what cannot be read: that is for its stream to say. */
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
