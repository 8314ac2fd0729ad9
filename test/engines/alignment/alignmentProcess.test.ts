// @module-tag tools

import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Aligner } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { residentMebibytes } from '../../helpers/processMemory.ts';
import { readSampleSpeech, readSampleText } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const WORDS = readSampleText('sense-and-sensibility');
/** In one piece they would take gigabytes. */
const MAX_MB = 400;

beforeEach(needsRecognizer);

function alignerOfTest(): Aligner {
  const aligner = createAligner();
  onTestFinished(() => aligner.close());
  return aligner;
}

/** The sample again and again, and what a test does at its second copy. */
async function* speech(copies: number, atSecond: () => void = () => {}): AsyncGenerator<Int16Array> {
  const samples = readSampleSpeech('sense-and-sensibility');
  for (let copy = 0; copy < copies; copy++) {
    if (copy === 1) atSecond();
    yield samples;
  }
}

function theChild(): number {
  const [pid] = childrenWith('alignment/child');
  return pid!;
}

it('minutes of speech with their text are found in bounded memory', async () => {
  const copies = 6;
  const text = Array.from({ length: copies }, () => WORDS).flat();
  let peakMb = 0;
  const watch = setInterval(() => {
    for (const pid of childrenWith('alignment/child')) peakMb = Math.max(peakMb, residentMebibytes(pid));
  }, 50);
  onTestFinished(() => clearInterval(watch));
  const words = await alignerOfTest().align(speech(copies), text);
  const found = words.filter(({ startFrame }) => startFrame !== undefined);
  expect(found.length).toBeGreaterThanOrEqual(0.98 * text.length);
  const length = readSampleSpeech('sense-and-sensibility').length;
  for (const [index, { startFrame }] of words.entries()) {
    if (startFrame === undefined) continue;
    expect(Math.floor(startFrame / length)).toBe(Math.floor(index / WORDS.length));
  }
  expect(peakMb).toBeGreaterThan(20);
  expect(peakMb).toBeLessThan(MAX_MB);
});

it('a process that is killed fails its alignment, and no other', async () => {
  const aligner = alignerOfTest();
  let pid = 0;
  const killing = speech(3, () => {
    pid = theChild();
    process.kill(pid, 'SIGKILL');
  });
  await expect(aligner.align(killing, WORDS)).rejects.toMatchObject({ code: 'engine-failed' });
  expect(isGone(pid)).toBe(true);
  const words = await aligner.align([readSampleSpeech('not-ill-disposed')], ['young', 'man']);
  expect(words.every(({ startFrame }) => startFrame !== undefined)).toBe(true);
});

it('a signal ends the process during its work', async () => {
  const controller = new AbortController();
  let pid = 0;
  const aborting = speech(3, () => {
    pid = theChild();
    controller.abort(new Error('enough'));
  });
  const aligning = alignerOfTest().align(aborting, WORDS, { signal: controller.signal });
  await expect(aligning).rejects.toThrow('enough');
  expect(isGone(pid)).toBe(true);
});

it('closing ends running work and rejects new work', async () => {
  const aligner = alignerOfTest();
  let pid = 0;
  let closed: Promise<void> | undefined;
  const closing = speech(3, () => {
    pid = theChild();
    closed = aligner.close();
  });
  await expect(aligner.align(closing, WORDS)).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
  expect(isGone(pid)).toBe(true);
  await expect(aligner.align([new Int16Array(RATE)], WORDS)).rejects.toMatchObject({ code: 'unavailable' });
});

it('leaves no process behind, not even that of a recogniser of its own', async () => {
  const aligner = alignerOfTest();
  await aligner.align([new Int16Array(RATE)], ['silence']);
  expect(childrenWith('alignment/child')).toEqual([]);
  await aligner.close();
  expect(childrenWith('moonshine/child')).toEqual([]);
});

it('a given recogniser stays open', async () => {
  await using recognizer = createMoonshineRecognizer({ processes: 1 });
  await using aligner = createAligner({ recognizer });
  await aligner.close();
  expect(await recognizer.recognize([readSampleSpeech('not-ill-disposed')])).not.toEqual([]);
});
