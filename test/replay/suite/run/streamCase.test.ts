import { join } from 'node:path';
import { BehaviorSubject, lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { QueryChange } from '../../../../src/client/stream/options.ts';
import { readCassette } from '../../../../src/replay/cassette/read/readCassette.ts';
import { record } from '../../../../src/replay/cassette/record/record.ts';
import { streamCase } from '../../../../src/replay/suite/run/streamCase.ts';
import type { SuiteCase } from '../../../../src/replay/suite/suite.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import { scenarioSource } from '../../../helpers/scenarioSource.ts';
import { createScriptedRecognizer } from '../../../helpers/scriptedRecognizer.ts';
import { FLOWING_SPEECH } from '../../../helpers/standbyRun.ts';
import { advanceUntil, startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** Records a stream whose language changes after 4.9 s. */
async function recordChange() {
  const clock = new VirtualClock();
  const recognizer = createScriptedRecognizer({ languages: ['en', 'de'] });
  const service = await startTestService({ clock, recognizer });
  const path = join(await temporaryDirectory(), 'talk.cassette.jsonl');
  const query$ = new BehaviorSubject<QueryChange>({ language: 'en' });
  const live = record({
    ...{ url: service.url, token: TEST_TOKEN, clock, query$, skipPostprocessing: true },
    cassette: { path, speed: 1 },
  });
  clock.schedule(4850, () => query$.next({ language: 'de' }));
  const events$ = scenarioSource({ ...FLOWING_SPEECH, blockFrames: [1600] }, clock).pipe(live, toArray());
  const events = await advanceUntil(clock, 5, lastValueFrom(events$));
  return { path, events };
}

test('a replay of a stream whose query changed sends the same queries, and has the same words', async () => {
  const { path, events } = await recordChange();
  const cassette = await readCassette(path);
  const queries = cassette.lines.flatMap(line => (line.type === 'query' ? [line] : []));
  expect(queries).toMatchObject([{ frame: 4.9 * 16_000, query: { language: 'de' } }]);
  const input = { kind: 'cassette', path } as const;
  const suiteCase: SuiteCase = {
    ...{ name: 'talk', input, query: {}, speed: 1, service: 'cassette', faults: [], keywords: [], tags: {} },
    thresholds: {},
  };
  const { run, mismatches } = await streamCase(suiteCase, { cassette, suite: { seed: 1 } });
  expect(mismatches).toEqual([]);
  expect(finalWords(run.events.map(({ value }) => value))).toEqual(finalWords(events));
});
