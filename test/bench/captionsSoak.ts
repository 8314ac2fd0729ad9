import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { every } from '../../src/base/wait/every.ts';
import { PAUSED_NOTICE } from '../../src/captions/captionSteps.ts';
import { setup as buildPages } from '../helpers/builtPages.ts';
import { freeLivePort } from '../helpers/liveSender.ts';
import { openHttpServer } from '../helpers/loopbackServer.ts';
import { quantile } from '../helpers/quantile.ts';
import {
  type CaptionerPlaces,
  type CaptionerRun,
  finalsIn,
  kill,
  sample,
  startCaptioner,
  terminate,
  wordsIn,
} from './captionsSoak/captioner.ts';
import {
  checkFiles,
  compare,
  type Findings,
  noFindings,
  readCassettes,
  wordsOfFiles,
} from './captionsSoak/checks.ts';
import { evening } from './captionsSoak/evening.ts';
import { Operator } from './captionsSoak/operator.ts';
import { type Speaker, startSpeaker } from './captionsSoak/speaker.ts';
import { openTargets } from './captionsSoak/targets.ts';
import { type PageViewers, textOf, watchPage } from './captionsSoak/viewers.ts';
import { scoreByRules } from './parts/scoredText.ts';

const MINUTES = Number(process.env.RXSCRIBE_BENCH_MINUTES ?? 10);
/** Decisions of the operator at which the process is killed, in the first part of the run. */
const KILLED_WHILE = ['on', 'paused', 'off'] as const;
/** Part of the run after which nothing is killed any more, so that the memory of the last process can be read. */
const KILLS_UNTIL = 0.4;
const CHECK_MS = 15_000;
const METRICS_MS = 1000;
const VISIT_MS = 2000;

/**
 * Captions live speech over SRT for some minutes by a process with all outputs, while the sender, the process and its outputs
 * fail at random moments, and the process is killed while the captions are on, paused and off. Compares what has arrived with
 * what was recognised. `RXSCRIBE_BENCH_MINUTES`, default 10. Then an operator works in two rooms, with a hook that fails.
 */
export async function run(): Promise<void> {
  await buildPages();
  const directory = await mkdtemp(join(tmpdir(), 'captions-soak-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const targets = stack.use(await openTargets(directory, MINUTES * 60 + 60));
  const [port, page] = [await freeLivePort(), await freePort()];
  const address = `srt://127.0.0.1:${port}`;
  const places = { directory, input: `${address}?mode=listener`, page, targets };
  const speaker = stack.use(startSpeaker(address));
  const viewers = stack.use(watchPage(`http://127.0.0.1:${page}/`));
  const soak = new Soak(places, speaker, viewers);
  await soak.run(MINUTES * 60_000);
  await soak.show();
  console.table(await evening(directory));
}

async function freePort(): Promise<number> {
  await using server = await openHttpServer(() => {});
  return server.port;
}

class Soak {
  readonly #places: CaptionerPlaces;
  readonly #speaker: Speaker;
  readonly #viewers: PageViewers;
  readonly #operator: Operator;
  readonly #findings: Findings = noFindings();
  /** Words that a killed process had recognised last. */
  readonly #atKill: number[] = [];
  /** Words that each process recognised, and captions that were posted until its end. */
  readonly #processes: {
    readonly recognised: readonly string[];
    readonly youtube: number;
    readonly zoom: number;
  }[] = [];
  readonly #lags: number[] = [];
  readonly #faults: string[] = [];
  #metrics: ReadonlyMap<string, number> = new Map();
  #captioner: CaptionerRun;
  #end: { readonly code: number | null; readonly stderr: string; readonly seconds: number } | undefined;

  constructor(places: CaptionerPlaces, speaker: Speaker, viewers: PageViewers) {
    this.#places = places;
    this.#speaker = speaker;
    this.#viewers = viewers;
    this.#operator = new Operator(places.page);
    this.#captioner = startCaptioner(places);
  }

  async run(ms: number): Promise<void> {
    const endsAt = performance.now() + ms;
    const again = (intervalMs: number, task: () => Promise<void>) =>
      every(intervalMs, task, {
        clock: systemClock,
        onError: error => this.#findings.faults.push(String(error)),
      });
    const stops = [
      again(METRICS_MS, () => this.#sample()),
      again(VISIT_MS, () => this.#viewers.visit()),
      again(CHECK_MS, () => checkFiles(this.#places, this.#findings)),
    ];
    const killing = this.#killSometimes(ms * KILLS_UNTIL);
    for (let round = 0; performance.now() < endsAt - 30_000; round++) await this.#fail(round, endsAt);
    await killing;
    await setTimeout(Math.max(0, endsAt - performance.now()));
    await Promise.all(stops.map(stop => stop()));
    await this.#speaker.stop();
    const { stdout, ...end } = await terminate(this.#captioner);
    this.#end = end;
    this.#ended(finalsIn(stdout));
    await checkFiles(this.#places, this.#findings);
  }

  #ended(finals: readonly (readonly string[])[]): void {
    const { youtube, zoom } = this.#places.targets;
    this.#processes.push({
      recognised: finals.flat(),
      youtube: youtube.accepted.length,
      zoom: zoom.accepted.length,
    });
  }

  async #sample(): Promise<void> {
    const metrics = await sample(this.#captioner, this.#places.page);
    if (metrics.size === 0) return;
    this.#metrics = metrics;
    const lag = metrics.get('output_delay_p50_seconds{room="",output="page"}');
    if (lag) this.#lags.push(lag);
  }

  async #killSometimes(ms: number): Promise<void> {
    for (const mode of KILLED_WHILE) {
      await setTimeout((ms / KILLED_WHILE.length) * (0.5 + 0.5 * Math.random()));
      if (mode === 'off') this.#viewers.keep();
      if (mode !== 'on') await this.#operator.perform({ type: mode === 'paused' ? 'pause' : 'kill' });
      const finals = finalsIn(await kill(this.#captioner));
      this.#ended(finals);
      this.#atKill.push(finals.at(-1)?.length ?? 0);
      await checkFiles(this.#places, this.#findings);
      this.#captioner = startCaptioner(this.#places);
      const found = (await this.#operator.view()).state.mode;
      if (found !== mode) this.#findings.faults.push(`killed while ${mode}, captions came back ${found}`);
      await this.#operator.perform({ type: 'start' });
    }
  }

  /** Lets one thing after another fail, for 5 to 20 s. */
  async #fail(round: number, endsAt: number): Promise<void> {
    const { targets } = this.#places;
    const ms = Math.min(5000 + Math.random() * 15_000, Math.max(0, endsAt - performance.now() - 25_000));
    const faults: readonly (readonly [string, () => Promise<void>])[] = [
      ['OBS gone', () => targets.stopObs(ms)],
      ['YouTube resets', () => targets.treat('youtube', 'reset', ms)],
      ['sender gone', () => this.#speaker.interrupt(ms / 2)],
      ['Zoom does not answer', () => targets.treat('zoom', 'no answer', ms)],
      ['YouTube loses answers', () => targets.treat('youtube', 'lost answer', ms)],
      ['Zoom fails', () => targets.treat('zoom', 503, ms)],
    ];
    const [name, fail] = faults[round % faults.length]!;
    this.#faults.push(name);
    await fail();
    await setTimeout(3000 + Math.random() * 5000);
  }

  async show(): Promise<void> {
    const { targets } = this.#places;
    const files = await wordsOfFiles(this.#places);
    const recognised = this.#processes.flatMap(({ recognised }) => recognised);
    const texts = this.#viewers.texts().map(textOf).join(' ').replaceAll(PAUSED_NOTICE, '');
    const segments = [...this.#findings.segmentCues.values()].join(' ').replaceAll(PAUSED_NOTICE, '');
    const wholes = [...files, ['HLS', wordsIn(segments)] as const, ['page', wordsIn(texts)] as const];
    console.table(
      Object.fromEntries([
        ...wholes.map(([name, words]) => [name, compare(recognised, words)]),
        ...this.#posted('youtube'),
        ...this.#posted('zoom'),
      ]),
    );
    const said = scoreByRules(this.#speaker.said, recognised);
    const { breaches: youtube } = targets.youtube;
    const { breaches: zoom } = targets.zoom;
    const mebibytes = this.#captioner.memory
      .filter(([seconds]) => seconds >= 20)
      .map(([, value]) => Math.round(value));
    console.log({
      said: this.#speaker.said.length,
      recognised: recognised.length,
      wordErrors: said.wer,
      faults: this.#faults.length,
      wordsOfLastFinalAtKills: this.#atKill,
      readsOfAllFiles: this.#findings.reads,
      invalid: this.#findings.faults,
      cassettes: await readCassettes(this.#places, this.#findings),
      breaches: { youtube, zoom },
      obs: { texts: targets.obsTexts.length, captions: targets.obsCaptions.length },
      late: {
        visits: this.#viewers.joinMs.length,
        p95Ms: quantile(this.#viewers.joinMs, 0.95),
        wrong: this.#viewers.wrong,
      },
      lagSeconds: { p50: quantile(this.#lags, 0.5), p95: quantile(this.#lags, 0.95) },
      memoryMiB: { first: mebibytes[0], last: mebibytes.at(-1), most: Math.max(...mebibytes) },
      end: this.#end,
    });
    console.log([...this.#metrics].filter(([name]) => /output|coverage|reconnect|compute/.test(name)));
  }

  /** Compares the captions that were posted by the killed processes, and by the last one, with what they recognised. */
  #posted(name: 'youtube' | 'zoom') {
    const { accepted } = this.#places.targets[name];
    const compared = this.#processes.map((process, index) => {
      const from = this.#processes[index - 1]?.[name] ?? 0;
      const words = accepted
        .slice(from, process[name])
        .flatMap(({ text }) => wordsIn(text.replaceAll('<br>', ' ')));
      return compare(process.recognised, words);
    });
    return compared.map((result, index) => [`${name} ${index + 1}`, result] as const);
  }
}
