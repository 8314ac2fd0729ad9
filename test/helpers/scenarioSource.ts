import { Observable } from 'rxjs';
import type { AudioBlock } from '../../src/audio/format.ts';
import { type Clock, delay } from '../../src/base/clock.ts';
import type { RecoveryScenario } from './recoveryScenario.ts';
import { LEVEL_STEP } from './scriptedRecognizer.ts';

/** Levels a second. */
const LEVELS_PER_SECOND = 10;

type Speech = Pick<RecoveryScenario, 'sampleRate' | 'levels' | 'blockFrames' | 'speed' | 'pauses'>;

/** The audio of a scenario, block by block, at its speed. */
export function scenarioSource(speech: Speech, clock: Clock): Observable<AudioBlock> {
  return new Observable(subscriber => {
    const { speed, sampleRate } = speech;
    const play = async () => {
      let pausedMs = 0;
      const startMs = clock.now();
      for (const { block, pauseMs } of scenarioBlocks(speech)) {
        pausedMs += pauseMs;
        const dueMs = startMs + pausedMs + (block.startFrame / sampleRate / speed) * 1000;
        if (dueMs > clock.now()) await delay(dueMs - clock.now(), { clock });
        if (subscriber.closed) return;
        subscriber.next(block);
      }
      subscriber.complete();
    };
    play().catch(error => subscriber.error(error));
  });
}

interface ScenarioBlock {
  readonly block: AudioBlock;
  /** How long the source stands still before it. */
  readonly pauseMs: number;
}

/** Blocks of the given lengths; one ends early where the source stands still. */
export function* scenarioBlocks({
  sampleRate,
  levels,
  blockFrames,
  pauses,
}: Speech): Generator<ScenarioBlock> {
  const levelFrames = sampleRate / LEVELS_PER_SECOND;
  const samples = new Float32Array(levels.length * levelFrames);
  for (const [index, level] of levels.entries()) {
    samples.fill((level * LEVEL_STEP) / 32_768, index * levelFrames, (index + 1) * levelFrames);
  }
  const waits = new Map(pauses.map(({ beforeLevel, ms }) => [beforeLevel * levelFrames, ms]));
  let startFrame = 0;
  for (let turn = 0; startFrame < samples.length; turn++) {
    let endFrame = Math.min(samples.length, startFrame + blockFrames[turn % blockFrames.length]!);
    for (const frame of waits.keys()) if (frame > startFrame && frame < endFrame) endFrame = frame;
    const block = { startFrame, sampleRate, channels: 1, samples: samples.subarray(startFrame, endFrame) };
    yield { block, pauseMs: waits.get(startFrame) ?? 0 };
    startFrame = endFrame;
  }
}
