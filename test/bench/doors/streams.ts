import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../../helpers/quantile.ts';
import { SCRIPTED_WINDOW_FRAMES, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { printGoal } from '../parts/printGoal.ts';
import { scratchDirectory } from '../parts/scratch.ts';
import { connect, type Speaker, WAYS, type Way } from './speaker.ts';

/** Milliseconds that the door may add to a final, and its processor time as a multiple of that of our own wire. */
const GOALS = { addedMs: 1, cpuRatio: 1.1 } as const;

const TOKEN = 'token-of-the-streams-bench';
/** Two words and a pause, which ends the utterance with its last block. */
const SPEECH = scriptedSpeech([4, 7, 0, 0, 0]);
const BLOCKS = Array.from({ length: SPEECH.length / SCRIPTED_WINDOW_FRAMES }, (_, i) =>
  Buffer.from(SPEECH.buffer, i * SCRIPTED_WINDOW_FRAMES * 2, SCRIPTED_WINDOW_FRAMES * 2),
);
/** Medians of the rounds decide. In each, the ways take turns many times, so that other work of the machine falls on all of them. */
const ROUNDS = 5;
const TIMED_UTTERANCES = 60;
/** Milliseconds between blocks whose messages are timed, in which the service takes each of them. */
const PAUSE_MS = 10;

const STREAMS = 50;
const TURNS = 6;
/** Utterances of each stream in a turn. */
const UTTERANCES = 2;
const TICK_MS = 10;
const TICKS_A_BLOCK = 10;
const TURN_AUDIO_SECONDS = (STREAMS * UTTERANCES * BLOCKS.length * TICKS_A_BLOCK * TICK_MS) / 1000;

/** Figures of a way, one per round. */
interface Figures {
  readonly medianMs: number[];
  readonly p95Ms: number[];
  /** Processor seconds of the service per hour of audio, in the median of the turns. */
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
    await timeFinals(url, figures);
    await countProcessorTime(service, url, figures);
    print(figures);
  } finally {
    const exited = once(service, 'exit');
    service.disconnect();
    await exited;
  }
}

/** Measures the milliseconds from the last block of utterances to their finals, with a stream for each way. */
async function timeFinals(url: string, figures: ReadonlyMap<Way, Figures>): Promise<void> {
  const speakers = await Promise.all(WAYS.map(way => connect(url, TOKEN, way)));
  await inRounds(async isWarmUp => {
    const ms: number[][] = WAYS.map(() => []);
    for (let count = 0; count < TIMED_UTTERANCES; count++) {
      for (const [way, speaker] of speakers.entries()) ms[way]!.push(await timeFinal(speaker));
    }
    if (isWarmUp) return;
    for (const [index, way] of WAYS.entries()) {
      figures.get(way)!.medianMs.push(quantile(ms[index]!, 0.5));
      figures.get(way)!.p95Ms.push(quantile(ms[index]!, 0.95));
    }
  });
  await Promise.all(speakers.map(speaker => speaker.end()));
}

async function timeFinal(speaker: Speaker): Promise<number> {
  const final = speaker.nextFinal();
  for (const block of BLOCKS.slice(0, -1)) {
    speaker.send(block);
    await setTimeout(PAUSE_MS);
  }
  const startMs = performance.now();
  speaker.send(BLOCKS.at(-1)!);
  return (await final) - startMs;
}

/** Measures the processor time of the service for streams at real time. */
async function countProcessorTime(
  service: ChildProcess,
  url: string,
  figures: ReadonlyMap<Way, Figures>,
): Promise<void> {
  const open = (way: Way) => Promise.all(Array.from({ length: STREAMS }, () => connect(url, TOKEN, way)));
  const speakers = await Promise.all(WAYS.map(open));
  await inRounds(async isWarmUp => {
    const spent: number[][] = WAYS.map(() => []);
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [way, streams] of speakers.entries()) {
        const before = await cpuSecondsOf(service);
        await speak(streams);
        spent[way]!.push((await cpuSecondsOf(service)) - before);
      }
    }
    if (isWarmUp) return;
    for (const [index, way] of WAYS.entries()) {
      figures.get(way)!.cpu.push((quantile(spent[index]!, 0.5) / TURN_AUDIO_SECONDS) * 3600);
    }
  });
  await Promise.all(speakers.flat().map(speaker => speaker.end()));
}

/** In a round before the others, code runs for the first time. */
async function inRounds(measure: (isWarmUp: boolean) => Promise<void>): Promise<void> {
  await measure(true);
  for (let round = 0; round < ROUNDS; round++) await measure(false);
}

async function cpuSecondsOf(service: ChildProcess): Promise<number> {
  service.send('report');
  return ((await once(service, 'message')) as [number])[0];
}

/** Sends the utterances of a turn at real time, the streams spread over the time of a block, and waits for their finals. */
async function speak(speakers: readonly Speaker[]): Promise<void> {
  for (let utterance = 0; utterance < UTTERANCES; utterance++) {
    const finals = Promise.all(speakers.map(speaker => speaker.nextFinal()));
    const startMs = performance.now();
    for (let tick = 0; tick < BLOCKS.length * TICKS_A_BLOCK; tick++) {
      const block = BLOCKS[Math.floor(tick / TICKS_A_BLOCK)]!;
      for (let i = tick % TICKS_A_BLOCK; i < speakers.length; i += TICKS_A_BLOCK) speakers[i]!.send(block);
      await setTimeout(Math.max(0, startMs + (tick + 1) * TICK_MS - performance.now()));
    }
    await finals;
  }
}

function print(figures: ReadonlyMap<Way, Figures>): void {
  console.log(
    `\nStreams, blocks of 100 ms, ${ROUNDS} rounds: from the last block of an utterance to its final (one stream, ${TIMED_UTTERANCES} utterances), and processor time of the service (${STREAMS} streams at real time, ${TURNS} turns of ${TURN_AUDIO_SECONDS} s of audio):`,
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
