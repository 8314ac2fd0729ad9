import { setTimeout } from 'node:timers/promises';
import type { CaptionOutput } from '../../src/captions/outputs/captionOutput.ts';
import { obsOutput } from '../../src/captions/outputs/obs/obsOutput.ts';
import { openCaptionPage } from '../../src/captions/outputs/page/captionPage.ts';
import { embeddedService } from '../../src/cli/local/embeddedService.ts';
import { processIo } from '../../src/cli/processIo.ts';
import { PROVIDED } from '../../src/cli/provide.ts';
import { DEFAULT_BRAND } from '../../src/protocol/interfaceNames.ts';
import { delaysOf } from '../../src/replay/measure/delays.ts';
import type { SessionRun, Timed } from '../../src/replay/session/sessionRun.ts';
import { readSuite } from '../../src/replay/suite/read/readSuite.ts';
import { runSuite } from '../../src/replay/suite/run/runSuite.ts';
import { partialSteps, stabilityOf } from '../../src/transcript/text/stability.ts';
import { setup as buildPages } from '../helpers/builtPages.ts';
import { ObsServer } from '../helpers/obsServer.ts';
import { quantile } from '../helpers/quantile.ts';
import { speechRecordings } from '../helpers/speechRecordings.ts';
import { rounded } from './parts/rounded.ts';
import { viewerMeter, viewersText } from './parts/viewers/viewerMeasures.ts';

/**
 * Times as slow as real time; measured times are divided by it. On a busy machine, 4 gives the recogniser the time that it has
 * on an idle one.
 */
const SLOWER = Number(process.env.RXSCRIBE_BENCH_SLOWER ?? 1);
/** Longest utterance in seconds; 8 is that of `caption` with outputs of finished captions. Default: that of the recogniser. */
const SEGMENT_SECONDS = process.env.RXSCRIBE_BENCH_SEGMENT_SECONDS;
const UPDATES = 200;
/** Longer than the least interval of each output. */
const UPDATE_MS = 60;

/** Measures what viewers of live captions see of real speech with the embedded recogniser, and the delay that outputs add. */
export async function run(): Promise<void> {
  const context = { ...processIo(), provided: PROVIDED, exitCode: 0 };
  await using service = await embeddedService(context, { brand: DEFAULT_BRAND });
  await service.ready;
  const recordings = speechRecordings().map(({ path }) => path);
  const read = await readSuite(recordings, { speed: 1 / SLOWER, url: service.url });
  const maxSegmentDurationSeconds = SEGMENT_SECONDS === undefined ? undefined : Number(SEGMENT_SECONDS);
  const cases = read.cases.map(each => ({ ...each, query: { ...each.query, maxSegmentDurationSeconds } }));
  const suite = { ...read, cases };
  const viewers = viewerMeter();
  const runs: SessionRun[] = [];
  await runSuite(suite, {
    service: { ...service, shownAs: 'embedded' },
    onRun(_, streamed) {
      const timed = atRealTime(streamed);
      runs.push(timed);
      viewers.add(timed);
    },
  });
  console.log(`${recordings.length} recordings, ${SLOWER} times as slow as real time\n`);
  console.table(recogniserRow(runs));
  console.log(viewersText(viewers.measures(), process.stdout));
  console.table([await obsDelays('source'), await obsDelays('captions'), await pageDelays()]);
}

/** Returns a run as it would be at real time on a machine that is so many times as fast. */
function atRealTime(streamed: SessionRun): SessionRun {
  const faster = <T>(timed: readonly Timed<T>[]) =>
    timed.map(({ atMs, value }) => ({ atMs: atMs / SLOWER, value }));
  return { ...streamed, events: faster(streamed.events), audio: faster(streamed.audio), speed: 1 };
}

/** The figures of the recogniser itself, below which captions cannot come. */
function recogniserRow(runs: readonly SessionRun[]) {
  const delays = runs.map(delaysOf);
  const word = delays.flatMap(each => each.word.map(({ seconds }) => seconds));
  const final = delays.flatMap(each => each.final.map(({ seconds }) => seconds));
  const steps = runs.flatMap(({ events }) => [...partialSteps(events.map(({ value }) => value))]);
  return {
    recogniser: {
      words: word.length,
      'UPWR of partials': rounded(stabilityOf(steps).upwr),
      'word p50, s': rounded(quantile(word, 0.5)),
      'p95, s': rounded(quantile(word, 0.95)),
      'final p50, s': rounded(quantile(final, 0.5)),
      'final p95, s': rounded(quantile(final, 0.95)),
    },
  };
}

const words = (id: number) => {
  const added = [{ id, text: `word${id}.` }];
  return { type: 'words', added, tail: [], wording: new Map() } as const;
};

/** Measures the time from a step to its arrival in OBS. Captions in the stream are slower than speech, so each has its time. */
async function obsDelays(use: 'source' | 'captions') {
  const obs = await ObsServer.start();
  obs.isStreaming = true;
  obs.addInput('Captions', 'text_ft2_source_v2');
  const source = use === 'source' ? { source: 'Captions' } : { captions: true };
  const output = obsOutput({ url: obs.url, ...source });
  const arrived = () => (use === 'source' ? obs.texts : obs.captions);
  const reset = { type: 'off' } as const;
  // The first texts show that the connection is there.
  while (arrived().length === 0) {
    output.take(reset);
    output.take(words(0));
    await setTimeout(UPDATE_MS);
  }
  const delays = await delaysTo(output, id => arrived().some(text => text.includes(`word${id}.`)), {
    updates: use === 'source' ? UPDATES : UPDATES / 10,
    // A repaint of two rows takes 1.5 s of the channel.
    waitMs: use === 'source' ? UPDATE_MS : 1600,
  });
  await output.close();
  await obs.stop();
  return { output: `OBS ${use}`, ...delays };
}

/** Measures the time from a step to its arrival at a viewer of the page. */
async function pageDelays() {
  await buildPages();
  await using page = await openCaptionPage({ port: 0 });
  const output = page.track('', { language: 'en' });
  const connection = new AbortController();
  const response = await fetch(new URL('events', page.url), { signal: connection.signal });
  let received = '';
  const reading = (async () => {
    for await (const piece of response.body!) received += Buffer.from(piece).toString();
  })().catch(() => {});
  const delays = await delaysTo(output, id => received.includes(`word${id}.`), {
    updates: UPDATES,
    waitMs: UPDATE_MS,
  });
  connection.abort();
  await reading;
  return { output: 'page', ...delays };
}

/** Takes steps one by one and waits for each to arrive. */
async function delaysTo(
  output: CaptionOutput,
  hasArrived: (id: number) => boolean,
  { updates, waitMs }: { readonly updates: number; readonly waitMs: number },
) {
  const delays: number[] = [];
  for (let id = 1; id <= updates; id++) {
    const startedAt = performance.now();
    output.take(words(id));
    while (!hasArrived(id)) await new Promise(resolve => setImmediate(resolve));
    delays.push(performance.now() - startedAt);
    await setTimeout(waitMs);
  }
  return {
    updates,
    'p50, ms': rounded(quantile(delays, 0.5)),
    'p95, ms': rounded(quantile(delays, 0.95)),
    'most, ms': rounded(quantile(delays, 1)),
  };
}
