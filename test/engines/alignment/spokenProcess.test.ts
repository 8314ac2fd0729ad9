import { expect, it, onTestFinished } from 'vitest';
import type { Aligner } from '../../../src/engines/aligner.ts';
import { createAligner } from '../../../src/engines/alignment/aligner.ts';
import { createSpokenAligner } from '../../../src/engines/alignment/spokenAligner.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { eventually } from '../../helpers/eventually.ts';
import { joined, readSampleSpeech, readSampleText } from '../../helpers/sampleSpeech.ts';

const SPEECH = readSampleSpeech('not-ill-disposed');
const SAID = ['he', 'was', 'not', 'an', 'ill', 'disposed', 'young', 'man'];
const LONG_SPEECH = joined(...Array.from({ length: 5 }, () => readSampleSpeech('sense-and-sensibility')));
const LONG_TEXT = Array.from({ length: 5 }, () => readSampleText('sense-and-sensibility')).flat();

function alignerOfTest(idleMs?: number): Aligner {
  const aligner = createAligner({ idleMs });
  onTestFinished(() => aligner.close());
  return aligner;
}

/** Resolves with the process, as soon as there is one. */
function theChild(): Promise<number> {
  return eventually(() => {
    const [pid] = childrenWith('alignment/spokenChild');
    expect(pid).toBeDefined();
    return pid!;
  });
}

it('one process serves call after call', async () => {
  const aligner = alignerOfTest();
  const first = await aligner.alignSpoken!(SPEECH, SAID);
  const pid = await theChild();
  expect(await aligner.alignSpoken!(SPEECH, SAID)).toEqual(first);
  expect(childrenWith('alignment/spokenChild')).toEqual([pid]);
});

it('calls at the same time share two processes, and get their own words', async () => {
  const aligner = alignerOfTest();
  const parts = [SAID, SAID.slice(0, 3), SAID.slice(4)];
  const results = await Promise.all(parts.map(words => aligner.alignSpoken!(SPEECH, words)));
  expect(childrenWith('alignment/spokenChild')).toHaveLength(2);
  for (const [index, words] of results.entries()) {
    expect(words.map(({ value }) => value)).toEqual(parts[index]);
    expect(words).toEqual(await aligner.alignSpoken!(SPEECH, parts[index]!));
  }
});

it('the process ends when it was idle, and another one serves the next call', async () => {
  const aligner = alignerOfTest(50);
  const first = await aligner.alignSpoken!(SPEECH, SAID);
  const pid = await theChild();
  await eventually(() => expect(isGone(pid)).toBe(true));
  expect(await aligner.alignSpoken!(SPEECH, SAID)).toEqual(first);
  expect(await theChild()).not.toBe(pid);
});

it('a signal ends a running call with its process, and no other call', async () => {
  const aligner = alignerOfTest();
  const controller = new AbortController();
  const aligning = aligner.alignSpoken!(LONG_SPEECH, LONG_TEXT, { signal: controller.signal });
  const next = aligner.alignSpoken!(SPEECH, SAID);
  const pid = await theChild();
  controller.abort(new Error('enough'));
  await expect(aligning).rejects.toThrow('enough');
  expect((await next).every(({ startFrame }) => startFrame !== undefined)).toBe(true);
  expect(isGone(pid)).toBe(true);
  await expect(aligner.alignSpoken!(SPEECH, SAID, controller)).rejects.toThrow('enough');
});

it('a signal ends a waiting call, and leaves the running one alone', async () => {
  const aligner = alignerOfTest();
  const controller = new AbortController();
  const running = aligner.alignSpoken!(SPEECH, SAID);
  const waiting = aligner.alignSpoken!(LONG_SPEECH, LONG_TEXT, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect((await running).every(({ startFrame }) => startFrame !== undefined)).toBe(true);
});

it('closing ends running and waiting calls and rejects new ones', async () => {
  const aligner = alignerOfTest();
  const running = aligner.alignSpoken!(LONG_SPEECH, LONG_TEXT);
  const waiting = aligner.alignSpoken!(SPEECH, SAID);
  const outcomes = Promise.allSettled([running, waiting]);
  const pid = await theChild();
  await aligner.close();
  expect(isGone(pid)).toBe(true);
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  await expect(aligner.alignSpoken!(SPEECH, SAID)).rejects.toMatchObject({ code: 'unavailable' });
  expect(childrenWith('alignment/spokenChild')).toEqual([]);
});

it('a process that stalls is killed, and the next call gets another one', { tags: 'slow' }, async () => {
  // Longer than the calls that do not stall take on a busy machine.
  const aligner = createSpokenAligner({ idleMs: 60_000, callTimeoutMs: 20_000 });
  onTestFinished(() => aligner.close());
  const { signal } = new AbortController();
  const first = await aligner.find(SPEECH, SAID, signal);
  const pid = await theChild();
  process.kill(pid, 'SIGSTOP');
  await expect(aligner.find(SPEECH, SAID, signal)).rejects.toMatchObject({ code: 'engine-failed' });
  expect(await aligner.find(SPEECH, SAID, signal)).toEqual(first);
  expect(isGone(pid)).toBe(true);
});
