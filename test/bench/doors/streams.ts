import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../../helpers/quantile.ts';
import { SCRIPTED_WINDOW_FRAMES, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { printGoal } from '../parts/printGoal.ts';
import { scratchDirectory } from '../parts/scratch.ts';
import { connect, type Speaker, WAYS, type Way } from './speaker.ts';

/** What the door may add to the time of a final, and the processor time by it beside that of our own wire. */
const GOALS = { addedMs: 1, cpuRatio: 1.1 } as const;

const TOKEN = 'token-of-the-streams-bench';
/** Two words and a pause, which ends the utterance with its last block. */
const SPEECH = scriptedSpeech([4, 7, 0, 0, 0]);
const BLOCKS = Array.from({ length: SPEECH.length / SCRIPTED_WINDOW_FRAMES }, (_, i) =>
  Buffer.from(SPEECH.buffer, i * SCRIPTED_WINDOW_FRAMES * 2, SCRIPTED_WINDOW_FRAMES * 2),
);
/** The ways take turns, so that other work of the machine falls on all of them; medians of the rounds decide. */
const ROUNDS = 5;
const TIMED_UTTERANCES = 60;
/** Milliseconds between blocks whose messages are timed, in which the service takes each of them. */
const PAUSE_MS = 10;

const STREAMS = 50;
/** Utterances of each stream whose processor time counts, and those before, in which streams and code get ready. */
const UTTERANCES = 8;
const WARM_UP_UTTERANCES = 3;
const TICK_MS = 10;
const TICKS_A_BLOCK = 10;
const AUDIO_SECONDS = (STREAMS * UTTERANCES * BLOCKS.length * TICKS_A_BLOCK * TICK_MS) / 1000;

/** Figures of a way, one per round. */
interface Figures {
  readonly medianMs: number[];
  readonly p95Ms: number[];
  /** Processor seconds of the service per hour of audio. */
  readonly cpu: number[];
}

/** Measures what the interface of Deepgram adds to a stream, beside our own wire, with bare `ws` clients. */
export async function measureStreams(): Promise<void> {
  await using directory = await scratchDirectory();
  // Plain Node, as in production.
  const service = fork(new URL('./service.ts', import.meta.url), [directory.path, TOKEN], { execArgv: [] });
  try {
    const [url] = (await once(service, 'message')) as [string];
    const figures = new Map<Way, Figures>(WAYS.map(way => [way, { medianMs: [], p95Ms: [], cpu: [] }]));
    // The first round shows code that runs for the first time.
    for (let round = 0; round <= ROUNDS; round++) {
      const ms = await timeFinals(url);
      for (const way of WAYS) {
        const cpuSeconds = await spend(service, url, way);
        if (round === 0) continue;
        const { medianMs, p95Ms, cpu } = figures.get(way)!;
        medianMs.push(quantile(ms.get(way)!, 0.5));
        p95Ms.push(quantile(ms.get(way)!, 0.95));
        cpu.push((cpuSeconds / AUDIO_SECONDS) * 3600);
      }
    }
    print(figures);
  } finally {
    const exited = once(service, 'exit');
    service.disconnect();
    await exited;
  }
}

/** Measures the milliseconds from the last block of utterances to their finals, a stream for each way, in turn. */
async function timeFinals(url: string): Promise<ReadonlyMap<Way, readonly number[]>> {
  const speakers = await Promise.all(
    WAYS.map(async way => ({ speaker: await connect(url, TOKEN, way), ms: [] as number[], way })),
  );
  for (let count = 0; count < TIMED_UTTERANCES; count++) {
    for (const { speaker, ms } of speakers) {
      for (const block of BLOCKS.slice(0, -1)) {
        speaker.send(block);
        await setTimeout(PAUSE_MS);
      }
      const startMs = performance.now();
      speaker.send(BLOCKS.at(-1)!);
      ms.push((await speaker.finalAt(count)) - startMs);
    }
  }
  await Promise.all(speakers.map(({ speaker }) => speaker.end()));
  return new Map(speakers.map(({ way, ms }) => [way, ms]));
}

/** Returns the processor seconds of the service for streams of a way at real time. */
async function spend(service: ChildProcess, url: string, way: Way): Promise<number> {
  const speakers = await Promise.all(Array.from({ length: STREAMS }, () => connect(url, TOKEN, way)));
  await speak(speakers, 0, WARM_UP_UTTERANCES);
  const before = await cpuSecondsOf(service);
  await speak(speakers, WARM_UP_UTTERANCES, UTTERANCES);
  const spent = (await cpuSecondsOf(service)) - before;
  await Promise.all(speakers.map(speaker => speaker.end()));
  return spent;
}

async function cpuSecondsOf(service: ChildProcess): Promise<number> {
  service.send('report');
  return ((await once(service, 'message')) as [number])[0];
}

/** Sends utterances at real time, the streams spread over the time of a block, and waits for their finals. */
async function speak(speakers: readonly Speaker[], saidBefore: number, utterances: number): Promise<void> {
  const startMs = performance.now();
  for (let tick = 0; tick < utterances * BLOCKS.length * TICKS_A_BLOCK; tick++) {
    const block = BLOCKS[Math.floor(tick / TICKS_A_BLOCK) % BLOCKS.length]!;
    for (let i = tick % TICKS_A_BLOCK; i < speakers.length; i += TICKS_A_BLOCK) speakers[i]!.send(block);
    await setTimeout(Math.max(0, startMs + (tick + 1) * TICK_MS - performance.now()));
  }
  await Promise.all(speakers.map(speaker => speaker.finalAt(saidBefore + utterances - 1)));
}

function print(figures: ReadonlyMap<Way, Figures>): void {
  console.log(
    `\nStreams, blocks of 100 ms, ${ROUNDS} rounds: from the last block of an utterance to its final (one stream, ${TIMED_UTTERANCES} utterances), and processor time of the service (${STREAMS} streams at real time, ${AUDIO_SECONDS} s of audio):`,
  );
  console.table(
    [...figures].map(([way, { medianMs, p95Ms, cpu }]) => ({
      way,
      'median ms': quantile(medianMs, 0.5).toFixed(2),
      'p95 ms': quantile(p95Ms, 0.5).toFixed(2),
      'CPU s per audio hour': quantile(cpu, 0.5).toFixed(2),
    })),
  );
  const own = figures.get('own wire')!;
  for (const way of WAYS.filter(one => one !== 'own wire')) {
    const { medianMs, cpu } = figures.get(way)!;
    const added = medianMs.map((ms, round) => ms - own.medianMs[round]!);
    const ratios = cpu.map((value, round) => value / own.cpu[round]!);
    printGoal(`${way}: ms added to a final`, added, GOALS.addedMs);
    printGoal(`${way}: processor time / own wire`, ratios, GOALS.cpuRatio);
  }
}
