import { systemClock } from '../../src/base/clock.ts';
import type { FaultPlan } from './faultPlan.ts';
import { startFaultProxy } from './faultProxy.ts';
import { finalWords } from './finalWords.ts';
import { launchService } from './launchService.ts';
import { FLOWING_SPEECH, StandbyRun } from './standbyRun.ts';

/** A failure of the first of two services, which are processes. */
export type TakeOverFault = 'killed' | 'stopped' | 'unreachable' | 'late';

export interface TakeOver {
  /** The longest time between two new words, pauses of the speaker (0.4 s) included. */
  readonly gapMs: number;
  /** Words of the finals, in order. */
  readonly words: readonly string[];
  /** Number of times that another service went on. */
  readonly switches: number;
  readonly error: unknown;
}

/** Words of {@link FLOWING_SPEECH}, which are those of an intact stream. */
export const SPOKEN_WORDS = FLOWING_SPEECH.levels.filter(Boolean).map(level => `w${level}`);

const TOKEN = 'token-of-two-services';
const BYTES_PER_SECOND = 32_000;

/** Streams speech to a service that fails after some seconds, with a standby. */
export async function runTakeOver(fault: TakeOverFault, afterSeconds: number): Promise<TakeOver> {
  const launches = [1, 2].map(() => launchService({ token: TOKEN, logLevel: 'silent' }));
  const [first, second] = await Promise.all(launches.map(({ listening }) => listening));
  const after = { bytesUp: afterSeconds * BYTES_PER_SECOND };
  const plans: Partial<Record<TakeOverFault, FaultPlan>> = {
    unreachable: [[{ kind: 'halfOpen', after }]],
    late: [[{ kind: 'delay', ms: 5000, after }]],
  };
  await using proxy = await startFaultProxy({ port: Number(new URL(first!.url).port) }, plans[fault] ?? []);
  try {
    const stream = new StandbyRun({
      ...{ clock: systemClock, url: proxy.url, token: TOKEN },
      standby: { url: second!.url, token: TOKEN },
    });
    systemClock.schedule(afterSeconds * 1000, () => {
      if (fault === 'killed') process.kill(first!.pid, 'SIGKILL');
      else if (fault === 'stopped') process.kill(first!.pid, 'SIGSTOP');
    });
    const error = await stream.end;
    return {
      gapMs: stream.longestGapMs,
      words: finalWords(stream.events).map(({ value }) => value),
      switches: stream.statuses.filter(({ type }) => type === 'switched').length,
      error,
    };
  } finally {
    for (const launch of launches) await launch.kill();
  }
}
