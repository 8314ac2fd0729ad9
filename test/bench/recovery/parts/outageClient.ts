import { fstatSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Subject } from 'rxjs';
import type { AudioBlock } from '../../../../src/audio/format/format.ts';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { LEVEL_STEP } from '../../../helpers/scriptedRecognizer.ts';

/** The task of the client process. */
export interface OutageTask {
  readonly url: string;
  readonly token: string;
  readonly phases: readonly OutagePhase[];
}

export interface OutagePhase {
  readonly name: string;
  readonly minutes: number;
  /** Whether somebody speaks. */
  readonly speaks: boolean;
  /** Whether the service can be reached. */
  readonly isUp: boolean;
}

/** The state of the client at the end of a phase. */
export interface OutageReport {
  readonly phase: string;
  readonly lagSeconds: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly buffersMb: number;
  /** Size of the files that the client has open, deleted ones included. */
  readonly fileMb: number;
  /** Processor time of the phase. */
  readonly cpuSeconds: number;
  readonly audioSeconds: number;
}

export interface OutageEnd {
  readonly spokenWords: number;
  readonly recognizedWords: number;
}

const SAMPLE_RATE = 16_000;
const BLOCK_MS = 100;
const BLOCK_FRAMES = (SAMPLE_RATE * BLOCK_MS) / 1000;
const BLOCKS_PER_MINUTE = 600;
/** Time goes faster here than for the service: to be slow is not to be dead. */
const TIMEOUT_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;
/** Utterances of 1.2 s with pauses of 0.8 s. */
const UTTERANCE_BLOCKS = 12;
const CYCLE_BLOCKS = 20;

process.once('message', async (task: OutageTask) => {
  const end = await play(task);
  process.send!(end, () => process.exit());
});

async function play({ url, token, phases }: OutageTask): Promise<OutageEnd> {
  const clock = new VirtualClock();
  const source = new Subject<AudioBlock>();
  const live = transcribe({
    ...{ url, token, clock, skipPostprocessing: true },
    ...{ connectTimeoutMs: TIMEOUT_MS, readyTimeoutMs: TIMEOUT_MS, pongTimeoutMs: TIMEOUT_MS },
    ...{ stallTimeoutMs: TIMEOUT_MS, finalTimeoutMs: TIMEOUT_MS },
  });
  let lagSeconds = 0;
  live.status$.subscribe(status => {
    if (status.type === 'progress') lagSeconds = status.lagSeconds;
  });
  let recognizedWords = 0;
  const ended = new Promise<void>((resolve, reject) =>
    source.pipe(live).subscribe({
      next(event) {
        if (event.type === 'final')
          recognizedWords += event.elements.filter(({ type }) => type === 'text').length;
      },
      error: reject,
      complete: resolve,
    }),
  );
  let spokenWords = 0;
  let blocks = 0;
  for (const phase of phases) {
    const cpu = process.cpuUsage();
    process.send!({ isUp: phase.isUp });
    for (const end = blocks + phase.minutes * BLOCKS_PER_MINUTE; blocks < end; blocks++) {
      await passBlock(clock);
      const isWord = phase.speaks && blocks % CYCLE_BLOCKS < UTTERANCE_BLOCKS;
      if (isWord) spokenWords++;
      source.next(blockOf(blocks, isWord ? 1 + (blocks % 400) : 0));
    }
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc!();
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    process.send!({
      phase: phase.name,
      lagSeconds,
      rssMb: rss / MEGABYTE,
      heapMb: heapUsed / MEGABYTE,
      buffersMb: arrayBuffers / MEGABYTE,
      fileMb: openFileBytes() / MEGABYTE,
      cpuSeconds: (user + system) / 1e6,
      audioSeconds: phase.minutes * 60,
    } satisfies OutageReport);
  }
  source.complete();
  let hasEnded = false;
  const settle = () => {
    hasEnded = true;
  };
  ended.then(settle, settle);
  while (!hasEnded) await passBlock(clock);
  await ended;
  return { spokenWords, recognizedWords };
}

/** Lets the time of a block pass. The service is not of this time: it needs some of its own. */
async function passBlock(clock: VirtualClock): Promise<void> {
  await clock.advanceAsync(BLOCK_MS);
  await setTimeout(1);
}

function blockOf(index: number, level: number): AudioBlock {
  const samples = new Float32Array(BLOCK_FRAMES).fill((level * LEVEL_STEP) / 32_768);
  return { startFrame: index * BLOCK_FRAMES, sampleRate: SAMPLE_RATE, channels: 1, samples };
}

function openFileBytes(): number {
  let bytes = 0;
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      const stat = fstatSync(Number(name));
      if (stat.isFile()) bytes += stat.size;
    } catch {
      // The one that was open for the listing.
    }
  }
  return bytes;
}
