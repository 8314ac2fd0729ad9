import type { CaseEntry } from './suiteSchema.ts';
import { withoutEnding } from './withoutEnding.ts';

/** The name of a case: its own, else its path without the ending. */
export function entryName({ name, audio, cassette }: CaseEntry): string {
  return name ?? withoutEnding((cassette ?? audio)!);
}
