import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import { measureLevel } from '../../../audio/level.ts';

/** Seconds of audio that are measured at once: about a syllable. */
const WINDOW_SECONDS = 0.1;

/** dB above the background at which audio is a sound. */
const SOUND_DB = 10;

/** dB below the loudest recent audio at which audio is no sound any more: breath and echoes are quieter than speech. */
const QUIETER_DB = 20;

/** Level in dB below which audio is never a sound, and the lowest background. */
const QUIETEST_DB = -60;

/** dB a second by which background and loudest level approach the current level, so that steady noise becomes background. */
const DRIFT_DB = 1;

const LOWEST_DB = QUIETEST_DB - SOUND_DB;

/** The parts of the audio that are louder than the background, and so may be speech. */
export interface SoundMap {
  /** In order. */
  readonly ranges: readonly FrameRange[];
  readonly backgroundDb: number;
  readonly loudestDb: number;
}

/** The map before any audio. */
export const NO_SOUND: SoundMap = { ranges: [], backgroundDb: LOWEST_DB, loudestDb: LOWEST_DB };

/** Returns the map with a block, which must follow those before. */
export function withBlock(sounds: SoundMap, block: AudioBlock): SoundMap {
  const { startFrame, samples, channels, sampleRate } = block;
  const frames = framesOf(block);
  const windowFrames = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate));
  let next = sounds;
  for (let at = 0; at < frames; at += windowFrames) {
    const endFrame = Math.min(at + windowFrames, frames);
    const { rmsDb } = measureLevel({ samples: samples.subarray(at * channels, endFrame * channels) });
    const range = { startFrame: startFrame + at, endFrame: startFrame + endFrame };
    next = withWindow(next, range, rmsDb, sampleRate);
  }
  return next;
}

/** Returns the map without the audio before a frame. */
export function withoutSound(sounds: SoundMap, beforeFrame: number): SoundMap {
  if ((sounds.ranges[0]?.endFrame ?? beforeFrame) >= beforeFrame) return sounds;
  return { ...sounds, ranges: sounds.ranges.filter(({ endFrame }) => endFrame > beforeFrame) };
}

/** Returns the frames of sound within a range of the source. */
export function soundFrames({ ranges }: SoundMap, fromFrame: number, toFrame: number): number {
  let sum = 0;
  for (const { startFrame, endFrame } of ranges) {
    if (startFrame >= toFrame) break;
    sum += Math.max(0, Math.min(endFrame, toFrame) - Math.max(startFrame, fromFrame));
  }
  return sum;
}

function withWindow(sounds: SoundMap, range: FrameRange, levelDb: number, sampleRate: number): SoundMap {
  const { ranges, backgroundDb, loudestDb } = sounds;
  const leastDb = Math.max(QUIETEST_DB, backgroundDb + SOUND_DB, loudestDb - QUIETER_DB);
  const driftDb = (DRIFT_DB * (range.endFrame - range.startFrame)) / sampleRate;
  return {
    ranges: levelDb >= leastDb ? withRange(ranges, range) : ranges,
    backgroundDb: Math.max(LOWEST_DB, Math.min(levelDb, backgroundDb + driftDb)),
    loudestDb: Math.max(levelDb, loudestDb - driftDb),
  };
}

function withRange(ranges: readonly FrameRange[], { startFrame, endFrame }: FrameRange) {
  const last = ranges.at(-1);
  if (last?.endFrame !== startFrame) return [...ranges, { startFrame, endFrame }];
  return [...ranges.slice(0, -1), { startFrame: last.startFrame, endFrame }];
}
