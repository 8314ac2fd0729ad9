import { filter, lastValueFrom, tap, toArray } from 'rxjs';
import { delay } from '../../../src/base/clock.ts';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import { transcribe } from '../../../src/client/stream/transcribe.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { createFixedAccount } from '../../../src/service/accounts/fixedAccount.ts';
import type { Service } from '../../../src/service/app.ts';
import { pairWords } from '../../../src/transcript/text/pairWords.ts';
import { type FaultProxy, startFaultProxy } from '../../helpers/faultProxy.ts';
import { finalWords } from '../../helpers/finalWords.ts';
import { startLimitedService } from '../../helpers/limitedService.ts';
import { quantile } from '../../helpers/quantile.ts';
import { differencesOf, percentOf, scoreByRules, tallyErrors } from '../parts/scoredText.ts';
import type { RecognizedWord } from './parts/heardWord.ts';
import { type LiveSpeech, liveBlocks, playLive, SAMPLE_RATE, shuffledSpeech } from './parts/liveSpeech.ts';
import { PublishedSample, SAMPLE_CHUNK_BYTES } from './parts/publishedSample.ts';

const TOKEN = 'token-of-the-bench';
const CUTS = 100;
/** Between two cuts in the mean; where in its span a cut falls is random. */
const CUT_EVERY_SECONDS = 7;
/** Passes over the recordings at a time, each with three streams. */
const PASSES_AT_ONCE = 2;
/** For what is still to come after the end of the audio. */
const ANSWER_TIMEOUT_MS = 60_000;
/** A word that begins so much earlier or later has moved. */
const MOVED_SECONDS = 0.1;

/**
 * Real speech at real time to a real recogniser, whose connection is reset 100 times: what comes of it with rxscribe and
 * with the published reconnect sample of the vendor's SDK, next to a stream that is not cut.
 */
export async function run(): Promise<void> {
  await using recognizer = createMoonshineRecognizer({ maxSessions: 32 });
  await using service = await startLimitedService({
    recognizer,
    accounts: createFixedAccount(TOKEN),
    limits: { account: { streams: 100 } },
    port: 0,
    logLevel: 'error',
  });
  const random = seeded(1);
  const passes = planPasses(random);
  const seconds = passes.reduce((sum, { samples }) => sum + samples.length, 0) / SAMPLE_RATE;
  console.log(`${passes.length} passes, ${Math.round(seconds)} s of speech, ${CUTS} cuts`);
  const results: PassResult[] = [];
  while (passes.length > 0) {
    results.push(
      ...(await Promise.all(passes.splice(0, PASSES_AT_ONCE).map(pass => runPass(service, pass)))),
    );
  }
  // On a machine that is too busy, a final comes late, and a client that keeps little has lost its audio by then.
  const delays = results.flatMap(result => result.delays);
  const [median, most] = [0.5, 0.9].map(share => quantile(delays, share).toFixed(1));
  console.log(`finals come ${median} s after their audio, 90 % within ${most} s`);
  console.table([
    rowOf('not cut', results, 'uncut'),
    rowOf('rxscribe', results, 'rxscribe'),
    rowOf('revai-node-sdk 3.8.5, published reconnect sample', results, 'sample'),
  ]);
}

interface Pass extends LiveSpeech {
  /** Seconds since the start of the audio. */
  readonly cuts: readonly number[];
}

interface PassResult {
  readonly uncut: readonly RecognizedWord[];
  readonly rxscribe: readonly RecognizedWord[];
  readonly sample: readonly RecognizedWord[];
  readonly reference: readonly string[];
  /** Delays of the finals of the uncut stream after the end of their audio, in seconds. */
  readonly delays: readonly number[];
}

/** As many passes as it takes, with one cut somewhere in each span of the mean distance. */
function planPasses(random: Random): Pass[] {
  const passes: Pass[] = [];
  for (let left = CUTS; left > 0; ) {
    const speech = shuffledSpeech(random);
    const spans = Math.min(left, Math.floor(speech.samples.length / SAMPLE_RATE / CUT_EVERY_SECONDS));
    const cuts = Array.from({ length: spans }, (_, span) => (span + random()) * CUT_EVERY_SECONDS);
    passes.push({ ...speech, cuts });
    left -= spans;
  }
  return passes;
}

async function runPass(service: Service, { samples, reference, cuts }: Pass): Promise<PassResult> {
  await using ours = await startFaultProxy(service, []);
  await using theirs = await startFaultProxy(service, []);
  const delays: number[] = [];
  const [uncut, rxscribe, sample] = await Promise.all([
    streamOurs(service.url, samples, seconds => delays.push(seconds)),
    streamOurs(ours.url, samples),
    streamSample(theirs.url, samples),
    cutAt(cuts, [ours, theirs]),
  ]);
  return { reference, uncut, rxscribe, sample, delays };
}

async function cutAt(cuts: readonly number[], proxies: readonly FaultProxy[]): Promise<void> {
  const startMs = performance.now();
  for (const seconds of cuts) {
    await delay(Math.max(0, startMs + seconds * 1000 - performance.now()));
    for (const proxy of proxies) proxy.cut();
  }
}

async function streamOurs(
  url: string,
  samples: Int16Array,
  onDelay: (seconds: number) => void = () => {},
): Promise<readonly RecognizedWord[]> {
  const startMs = performance.now();
  const finals$ = liveBlocks(samples).pipe(
    transcribe({ url, token: TOKEN, skipPostprocessing: true }),
    filter(event => event.type === 'final'),
    tap(({ endTs }) => onDelay((performance.now() - startMs) / 1000 - endTs)),
    toArray(),
  );
  return finalWords(await lastValueFrom(finals$)).map(({ value, ts }) => ({ value, ts: ts! }));
}

async function streamSample(url: string, samples: Int16Array): Promise<readonly RecognizedWord[]> {
  const sample = new PublishedSample({ url, token: TOKEN });
  await playLive(samples, SAMPLE_CHUNK_BYTES / 2, ({ buffer, byteOffset, byteLength }) =>
    sample.write(Buffer.from(buffer, byteOffset, byteLength)),
  );
  sample.end();
  const timeout = new AbortController();
  await Promise.race([sample.done, delay(ANSWER_TIMEOUT_MS, { signal: timeout.signal })]);
  timeout.abort();
  return sample.words;
}

const textsOf = (words: readonly RecognizedWord[]) => words.map(({ value }) => value);

function rowOf(label: string, results: readonly PassResult[], way: 'uncut' | 'rxscribe' | 'sample') {
  const toUncut = results.map(each => scoreByRules(textsOf(each.uncut), textsOf(each[way])));
  const toReference = results.map(each => scoreByRules(each.reference, textsOf(each[way])));
  return {
    stream: label,
    words: results.flatMap(each => each[way]).length,
    ...differencesOf(toUncut),
    moved: results.reduce((sum, each) => sum + movedWords(each.uncut, each[way]), 0),
    'WER %': percentOf(tallyErrors(toReference)),
  };
}

/** Words of both that stand elsewhere in time. */
function movedWords(uncut: readonly RecognizedWord[], found: readonly RecognizedWord[]): number {
  return pairWords(textsOf(uncut), textsOf(found)).filter(
    ({ left, right }) => Math.abs(uncut[left]!.ts - found[right]!.ts) > MOVED_SECONDS,
  ).length;
}
