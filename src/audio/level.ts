import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AudioBlock, requireBlock } from './format/format.ts';

/** How loud a block is, over all its channels, in dB of full scale: a square wave of full scale has 0, a sine -3 RMS. */
export interface AudioLevel {
  /** Of the root of the mean square. -Infinity for digital silence. */
  readonly rmsDb: number;
  /** Of the largest sample, whatever its sign. -Infinity for digital silence. */
  readonly peakDb: number;
}

/** The level of one block. */
export function measureLevel({ samples }: Pick<AudioBlock, 'samples'>): AudioLevel {
  let peak = 0;
  let sum = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!;
    peak = Math.max(peak, Math.abs(sample));
    sum += sample * sample;
  }
  const mean = samples.length === 0 ? 0 : sum / samples.length;
  return { rmsDb: 10 * Math.log10(mean), peakDb: 20 * Math.log10(peak) };
}

/**
 * Tells the level of each block that passes, and lets the audio through: a meter beside the captions. What the callback
 * throws is the error of the stream.
 *
 * @example
 * microphone().pipe(resample(), chunk(100), level(({ peakDb }) => meter.show(peakDb)), transcribe({ url, token }));
 */
export function level(
  onLevel: (level: AudioLevel, block: AudioBlock) => void,
): MonoTypeOperatorFunction<AudioBlock> {
  return tap(block => {
    requireBlock('level', block);
    onLevel(measureLevel(block), block);
  });
}
