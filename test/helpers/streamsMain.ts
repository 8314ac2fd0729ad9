import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { finalWords } from './finalWords.ts';
import type { RecoveryScenario } from './recoveryScenario.ts';
import { scenarioSource } from './scenarioSource.ts';
import { streamRun } from './streamRun.ts';

/** Delay between the starts of two streams: the streams are in different places of their words. */
const STAGGER_MS = 23;

/** Result of a stream. */
export interface StreamResult {
  readonly words: readonly string[];
  readonly error?: string;
  readonly connections: number;
}

/** A program that streams the speech of its first argument several times at once, and prints each {@link StreamResult}. */
const { url, token, speech, streams } = JSON.parse(process.argv[2]!) as {
  readonly url: string;
  readonly token: string;
  readonly speech: RecoveryScenario;
  readonly streams: number;
};
const results = Array.from({ length: streams }, async (_, index): Promise<StreamResult> => {
  await setTimeout(index * STAGGER_MS);
  const resume = { baseDelayMs: 50, maxDelayMs: 500, giveUpAfterSeconds: 300 };
  const run = streamRun(scenarioSource(speech, systemClock), {
    url,
    token,
    skipPostprocessing: true,
    resume,
  });
  await run.until('connected');
  process.stdout.write('connected\n');
  const error = await run.end;
  return {
    words: finalWords(run.events).map(({ value, ts }) => `${value} ${ts}`),
    ...(error !== undefined && { error: String(error) }),
    connections: run.statusTypes.filter(type => type === 'connecting').length,
  };
});
process.stdout.write(`${JSON.stringify(await Promise.all(results))}\n`);
