import { BehaviorSubject, Observable } from 'rxjs';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import { pausable } from '../../src/audio/pausable.ts';
import { type Clock, delay } from '../../src/base/clock.ts';
import type { Gate } from '../../src/flow/gate.ts';
import type { RecoveryScenario } from './recoveryScenario.ts';
import { LEVEL_STEP } from './scriptedRecognizer.ts';

/** Levels a second. */
const LEVELS_PER_SECOND = 10;

type Speech = Pick<
  RecoveryScenario,
  'sampleRate' | 'channels' | 'levels' | 'blockFrames' | 'speed' | 'pauses' | 'mutes' | 'muteClock'
>;

/** The audio of a scenario, block by block, at its speed, or later where a gate is held. */
export function scenarioSource(speech: Speech, clock: Clock, gate?: Gate): Observable<AudioBlock> {
  const { speed, sampleRate, muteClock } = speech;
  const paused$ = new BehaviorSubject(false);
  const all = new Observable<AudioBlock>(subscriber => {
    const play = async () => {
      let pausedMs = 0;
      const startMs = clock.now();
      for (const { block, pauseMs, isMuted } of scenarioBlocks(speech)) {
        pausedMs += pauseMs;
        const dueMs = startMs + pausedMs + (block.startFrame / sampleRate / speed) * 1000;
        if (dueMs > clock.now()) await delay(dueMs - clock.now(), { clock });
        await gate?.whenOpen();
        if (subscriber.closed) return;
        if (isMuted !== paused$.value) paused$.next(isMuted);
        subscriber.next(block);
      }
      subscriber.complete();
    };
    play().catch(error => subscriber.error(error));
  });
  return all.pipe(pausable({ paused$, clock: muteClock }));
}

interface ScenarioBlock {
  readonly block: AudioBlock;
  /** Pause of the source before it. */
  readonly pauseMs: number;
  /** Nobody is to hear it. */
  readonly isMuted: boolean;
}

/** Blocks of the given lengths; one ends early where the source stands still, and where it is muted. */
export function* scenarioBlocks(speech: Speech): Generator<ScenarioBlock> {
  const { sampleRate, channels, levels, blockFrames, pauses, mutes } = speech;
  const levelFrames = sampleRate / LEVELS_PER_SECOND;
  const samples = samplesOf(speech, levelFrames);
  const waits = new Map(pauses.map(({ beforeLevel, ms }) => [beforeLevel * levelFrames, ms]));
  const muted = mutes.map(
    ({ fromLevel, toLevel }) => [fromLevel * levelFrames, toLevel * levelFrames] as const,
  );
  const edges = [...waits.keys(), ...muted.flat()];
  let startFrame = 0;
  for (let turn = 0; startFrame < levels.length * levelFrames; turn++) {
    let endFrame = Math.min(
      levels.length * levelFrames,
      startFrame + blockFrames[turn % blockFrames.length]!,
    );
    for (const frame of edges) if (frame > startFrame && frame < endFrame) endFrame = frame;
    const part = samples.subarray(startFrame * channels, endFrame * channels);
    const isMuted = muted.some(([from, to]) => startFrame >= from && startFrame < to);
    yield {
      block: { startFrame, sampleRate, channels, samples: part },
      pauseMs: waits.get(startFrame) ?? 0,
      isMuted,
    };
    startFrame = endFrame;
  }
}

/** Interleaved. Of two channels one is louder than the other: their mean is the level. */
function samplesOf({ levels, channels }: Speech, levelFrames: number): Float32Array {
  const samples = new Float32Array(levels.length * levelFrames * channels);
  for (const [index, level] of levels.entries()) {
    const other = channels === 1 ? 0 : level >> 1;
    const part = samples.subarray(index * levelFrames * channels, (index + 1) * levelFrames * channels);
    for (let at = 0; at < part.length; at++) {
      part[at] = ((at % 2 === 0 || channels === 1 ? level + other : level - other) * LEVEL_STEP) / 32_768;
    }
  }
  return samples;
}
