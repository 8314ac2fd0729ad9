import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AudioBlock, requireBlock } from './format/format.ts';

/**
 * The level of a block over all its channels, in dB relative to full scale: a full-scale square wave has 0 dB RMS, a
 * full-scale sine -3 dB.
 */
export interface AudioLevel {
  /** Level of the root mean square. -Infinity for digital silence. */
  readonly rmsDb: number;
  /** Level of the largest magnitude. -Infinity for digital silence. */
  readonly peakDb: number;
}

/**
 * Measures the level of one block.
 *
 * @example
 * import { measureLevel } from 'rxscribe';
 *
 * measureLevel({ samples: Float32Array.of(0.5, -0.5) }).peakDb; // about -6.02
 */
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
 * Reports the level of each block and passes the audio on unchanged, for a level meter. An error thrown by the callback fails
 * the stream.
 *
 * @example
 * import { chunk, level, microphone, transcribe } from 'rxscribe';
 *
 * const showLevel = level(({ peakDb }) => process.stderr.write(`${peakDb.toFixed(0)} dB\r`));
 * microphone()
 *   .pipe(chunk(100), showLevel, transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }))
 *   .subscribe(event => console.log(event.type));
 */
export function level(
  onLevel: (level: AudioLevel, block: AudioBlock) => void,
): MonoTypeOperatorFunction<AudioBlock> {
  return tap(block => {
    requireBlock('level', block);
    onLevel(measureLevel(block), block);
  });
}
