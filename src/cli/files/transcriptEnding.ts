import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** Endings of the names of transcript files: each is a format. */
export const TRANSCRIPT_ENDINGS = ['.srt', '.vtt', '.txt', '.json'] as const;

export type TranscriptEnding = (typeof TRANSCRIPT_ENDINGS)[number];

export function transcriptEnding(path: string): TranscriptEnding | undefined {
  const ending = extname(path).toLowerCase();
  return TRANSCRIPT_ENDINGS.find(known => known === ending);
}

/** The reader of an option that may be given several times, for commander. */
export function collectTranscriptFiles(path: string, previous: readonly string[]): readonly string[] {
  if (!transcriptEnding(path)) {
    throw new InvalidArgumentError(`expected a name that ends in ${TRANSCRIPT_ENDINGS.join(', ')}`);
  }
  // Better known now than after an hour of captions.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('expected a file, found a directory');
  }
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  } catch {
    throw new InvalidArgumentError('expected a place that can be written to');
  }
  return [...previous, path];
}
