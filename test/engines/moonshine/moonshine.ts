import { onTestFinished, type TestContext } from 'vitest';
import type { DecodedUtterance } from '../../../src/engines/moonshine/child.ts';
import { DecoderPool, type DecodeWork } from '../../../src/engines/moonshine/decoderPool.ts';
import {
  createMoonshineRecognizer,
  type MoonshineRecognizerOptions,
} from '../../../src/engines/moonshine/recognizer.ts';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { embeddedFiles } from './embeddedFiles.ts';

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

/** Knows how much of what it was asked to decode is not decoded. */
class CountingPool extends DecoderPool {
  inProgress = 0;

  override async decode(work: DecodeWork): Promise<DecodedUtterance | undefined> {
    this.inProgress += 1;
    try {
      return await super.decode(work);
    } finally {
      this.inProgress -= 1;
    }
  }
}

/** Processes with the model, without a recogniser; closed when the test is over. */
export async function decoderPool(context: TestContext, processes = 1): Promise<CountingPool> {
  await needsRecognizer(context);
  const [files, partials] = [await embeddedFiles('base'), await embeddedFiles('tiny')];
  const setup = { files, partials, library: findNativeLibrary() };
  const pool = new CountingPool(async () => setup, processes);
  onTestFinished(() => pool.close());
  await pool.warm();
  return pool;
}
