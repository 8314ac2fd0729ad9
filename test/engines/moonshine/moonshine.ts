import { onTestFinished, type TestContext } from 'vitest';
import {
  createMoonshineRecognizer,
  type MoonshineRecognizerOptions,
} from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { needsRecognizer } from '../../helpers/needs.ts';

/** A recogniser of one process, closed when the test is over. */
export async function moonshine(
  context: TestContext,
  options: MoonshineRecognizerOptions = {},
): Promise<Recognizer> {
  await needsRecognizer(context);
  const recognizer = createMoonshineRecognizer({ processes: 1, maxSessions: 2, ...options });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

/** The ids of the processes with models. */
export const decoders = (): readonly number[] => childrenWith('moonshine/child');

export const finalsOf = (results: readonly RecognizerResult[]): readonly RecognizerResult[] =>
  results.filter(({ type }) => type === 'final');

export const textsOf = (results: readonly RecognizerResult[]): readonly string[] =>
  results.map(({ words }) => words.map(({ value }) => value).join(' '));
