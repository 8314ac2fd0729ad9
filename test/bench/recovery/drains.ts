import { filter, lastValueFrom, toArray } from 'rxjs';
import { delay } from '../../../src/base/clock.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import type { Service } from '../../../src/service/app.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { startLimitedService } from '../../helpers/limitedService.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { differencesOf, scoreByRules } from '../parts/scoredText.ts';
import { liveBlocks } from './parts/liveSpeech.ts';

const TOKEN = 'token-of-the-bench';
const DRAINS = 24;
const DRAINS_AT_ONCE = 6;
/** From one drain to the next in the speech, which has 28 s. */
const STEP_SECONDS = 1.04;

/** Real speech at real time to a service that stops while somebody speaks, with another one that goes on. */
export async function run(): Promise<void> {
  await using recognizer = createMoonshineRecognizer({ maxSessions: 4 * DRAINS_AT_ONCE });
  await recognizer.warm();
  await using other = await startService(recognizer);
  const undisturbed = await wordsOf([other.url]);
  const rows = [];
  for (const drainSeconds of [40, 0]) {
    const all: (readonly string[])[] = [];
    const places = Array.from({ length: DRAINS }, (_, index) => (index + 1) * STEP_SECONDS);
    while (places.length > 0) {
      const runs = places.splice(0, DRAINS_AT_ONCE).map(async seconds => {
        const service = await startService(recognizer, drainSeconds);
        return drainedAfter(seconds, service, other);
      });
      all.push(...(await Promise.all(runs)));
    }
    const scores = all.map(words => scoreByRules(undisturbed, words));
    rows.push({ drainSeconds, drains: DRAINS, words: all.flat().length, ...differencesOf(scores) });
  }
  console.table(rows);
}

function startService(recognizer: Recognizer, drainSeconds = 0): Promise<Service> {
  const accounts = createFixedAccount(TOKEN);
  const limits = { account: { streams: 100 } };
  return startLimitedService({ recognizer, accounts, limits, drainSeconds, port: 0, logLevel: 'error' });
}

async function drainedAfter(seconds: number, service: Service, other: Service): Promise<readonly string[]> {
  const words = wordsOf([service.url, other.url]);
  await delay(seconds * 1000);
  await service.close();
  return words;
}

async function wordsOf(url: readonly string[]): Promise<readonly string[]> {
  const finals$ = liveBlocks(readSampleSpeech('sense-and-sensibility')).pipe(
    transcribe({ url, token: TOKEN, skipPostprocessing: true }),
    filter(event => event.type === 'final'),
    toArray(),
  );
  return finalWords(await lastValueFrom(finals$)).map(({ value }) => value);
}
