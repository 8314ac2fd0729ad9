import { InvalidArgumentError } from '../base/errors.ts';
import type { AudioBlock } from './format.ts';

/** Returns what a value is, for people: `an Int16Array`, `a string`, `undefined`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const name = ArrayBuffer.isView(value) || Array.isArray(value) ? value.constructor.name : typeof value;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns whether a value is a typed array of a type, whatever realm made it. */
export function isArrayOf<Name extends 'Int16Array' | 'Float32Array'>(
  name: Name,
  value: unknown,
): value is Name extends 'Int16Array' ? Int16Array : Float32Array {
  return (
    ArrayBuffer.isView(value) && (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === name
  );
}

/**
 * Throws for what is no block: bare samples would be heard as nothing, or as noise.
 *
 * @throws InvalidArgumentError that says what makes blocks of samples
 */
export function requireBlock(action: string, block: AudioBlock): void {
  const fault = faultOf(block);
  if (fault === undefined) return;
  throw new InvalidArgumentError(
    `${action}: wanted blocks of audio as sources give them, found ${fault}; ` +
      'fromFrames() makes blocks of Int16Array or Float32Array',
  );
}

function faultOf(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || ArrayBuffer.isView(block) || Array.isArray(block)) {
    return kindOf(block);
  }
  const { startFrame, sampleRate, channels, samples } = block as Partial<AudioBlock>;
  if (!isArrayOf('Float32Array', samples)) return `samples that are ${kindOf(samples)}`;
  if (!isWhole(startFrame, 0)) return `startFrame ${startFrame}`;
  if (!isWhole(sampleRate, 1)) return `sampleRate ${sampleRate}`;
  if (!isWhole(channels, 1)) return `channels ${channels}`;
  if (samples.length % channels === 0) return undefined;
  return `${samples.length} samples of ${channels} channels`;
}

function isWhole(value: number | undefined, least: number): value is number {
  return Number.isSafeInteger(value) && value! >= least;
}
