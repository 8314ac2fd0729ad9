import { InvalidArgumentError } from '../base/errors.ts';
import type { AudioBlock } from './format.ts';

/** @throws InvalidArgumentError when a block differs from the first of its stream in rate or channels */
export function requireSameFormat(action: string, first: AudioBlock, block: AudioBlock): void {
  if (block.sampleRate === first.sampleRate && block.channels === first.channels) return;
  const describe = ({ sampleRate, channels }: AudioBlock) => `${sampleRate} Hz with ${channels} channels`;
  throw new InvalidArgumentError(
    `${action}: wanted ${describe(first)} as at the start of the stream, found ${describe(block)} at frame ${block.startFrame}`,
  );
}
