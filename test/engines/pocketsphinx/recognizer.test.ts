import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { startDecoder } from '../../../src/engines/pocketsphinx/decoderProcess.ts';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { eventually } from '../../helpers/eventually.ts';
import { joined, readSampleSpeech, readSampleText, silence } from '../../helpers/sampleSpeech.ts';
import { hear, listen, recognizerContract, repeated } from '../recognizerContract.ts';

const missing = await locatePocketSphinx().then(
  () => undefined,
  () => 'needs the recogniser: npm run setup',
);
const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');

recognizerContract('PocketSphinx', {
  create: () => createPocketSphinxRecognizer({ maxSessions: 2, spareDecoders: 0 }),
  speech: () => joined(sentence.subarray(0, 24_000), silence(0.8), sentence),
  phrases: { usable: ['ill-disposed', 'Kubernetes', 'C++ 17', 'GPRS'], unusable: '★ Norland' },
  missing,
});

function create(context: TestContext): Recognizer {
  if (missing) context.skip(missing);
  const recognizer = createPocketSphinxRecognizer({ maxSessions: 2, spareDecoders: 0 });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

let hearing: Promise<readonly RecognizerResult[]> | undefined;
/** What the reading gives live, heard once for all tests. */
function heardReading(context: TestContext): Promise<readonly RecognizerResult[]> {
  hearing ??= hear(create(context), reading);
  return hearing;
}

const finalsOf = (results: readonly RecognizerResult[]) => results.filter(result => result.type === 'final');
const wordsOf = (results: readonly RecognizerResult[]) =>
  results.flatMap(result => result.words.map(word => (word.value === 'mr' ? 'mister' : word.value)));
const decoders = () => childrenWith('pocketsphinx/child');

describe('PocketSphinx on real speech', { timeout: 120_000 }, () => {
  it('gets more words right than wrong, sentence by sentence, where they are spoken', async context => {
    const results = await heardReading(context);
    const finals = finalsOf(results);
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, wordsOf(finals)).wer).toBeLessThan(0.6);
    expect(finals).toHaveLength(5);
    // Where each of the sentences starts and ends in the recording, in seconds.
    const spans = [
      [0.2, 7.1],
      [7.7, 10.7],
      [11.3, 16.6],
      [17.2, 23.3],
      [23.8, 27.2],
    ] as const;
    for (const [index, [start, end]] of spans.entries()) {
      expect(finals[index]!.startFrame / 16_000).toBeGreaterThan(start - 0.15);
      expect(finals[index]!.startFrame / 16_000).toBeLessThan(start + 0.7);
      expect(finals[index]!.endFrame / 16_000).toBeLessThan(end + 0.15);
      expect(finals[index]!.endFrame / 16_000).toBeGreaterThan(end - 0.7);
    }
  });

  it('shows each sentence while it is spoken', async context => {
    const results = await heardReading(context);
    const shown = results.map(result => result.type[0]).join('');
    expect(shown).toMatch(/^(p{5,}f){5}$/);
    const partials = results.filter(result => result.type === 'partial');
    expect(partials.flatMap(partial => partial.words).every(word => word.confidence === undefined)).toBe(
      true,
    );
  });

  it('hears a whole recording where live hears it', async context => {
    const whole = await create(context).recognize([reading]);
    const reference = readSampleText('sense-and-sensibility');
    expect(scoreWords(reference, wordsOf(whole)).wer).toBeLessThan(0.6);
    const live = finalsOf(await heardReading(context));
    for (const [index, final] of live.entries()) {
      expect(Math.abs(whole[index]!.startFrame - final.startFrame)).toBeLessThan(8000);
    }
  });

  it('keeps its clock over pauses, whatever their length', async context => {
    const spoken = joined(sentence, silence(0.7), sentence, silence(3.333), sentence, silence(1), sentence);
    const finals = finalsOf(await hear(create(context), spoken));
    const seconds = [0, 0.7, 4.033, 5.033].map(
      (pauses, index) => (index * sentence.length) / 16_000 + pauses,
    );
    expect(finals).toHaveLength(4);
    const offsets = finals.map((final, index) => final.words[0]!.startFrame / 16_000 - seconds[index]!);
    for (const offset of offsets) expect(Math.abs(offset - offsets[0]!)).toBeLessThan(0.06);
  });

  it('keeps its clock when it cuts', async context => {
    const cut = finalsOf(await hear(create(context), reading, { maxSegmentSeconds: 2 }));
    expect(cut.filter(final => final.cut).length).toBeGreaterThan(5);
    const expected = finalsOf(await heardReading(context)).flatMap(final => final.words);
    const words = cut.flatMap(final => final.words);
    const near = (frames: number) =>
      words.filter(word =>
        expected.some(
          other => other.value === word.value && Math.abs(other.startFrame - word.startFrame) <= frames,
        ),
      ).length;
    // Most words come back, and those that do are where they were.
    expect(near(16_000)).toBeGreaterThan(words.length / 2);
    expect(near(16_000) - near(800)).toBeLessThan(4);
  });

  it('grows by next to nothing in three minutes of silence', async context => {
    await using session = await create(context).open();
    const { results } = listen(session);
    const [pid] = decoders();
    await session.write(sentence);
    await session.write(silence(2));
    const before = residentMegabytes(pid!);
    for (let second = 0; second < 180; second += 10) await session.write(silence(10));
    expect(residentMegabytes(pid!) - before).toBeLessThan(20);
    await session.write(sentence);
    await session.finish();
    expect(finalsOf(results)).toHaveLength(2);
  });

  it('survives noise of every kind', async context => {
    const loud = Int16Array.from({ length: 160_000 }, (_, index) => ((index * 7919) % 65_536) - 32_768);
    const square = Int16Array.from({ length: 160_000 }, (_, index) => (index % 80 < 40 ? 32_767 : -32_768));
    const results = await hear(create(context), joined(loud, square, sentence), { maxSegmentSeconds: 5 });
    for (const final of finalsOf(results)) expect(final.words.length).toBeGreaterThan(0);
  });
});

describe('a pause of PocketSphinx', { timeout: 120_000 }, () => {
  const twice = joined(sentence, silence(0.6), sentence);

  it.for([
    [0.4, 2],
    [1.5, 1],
  ] as const)('of %d s makes of two sentences %d utterances', async ([pauseSeconds, utterances], context) => {
    if (missing) context.skip(missing);
    await using recognizer = createPocketSphinxRecognizer({ spareDecoders: 0, pauseSeconds });
    expect(finalsOf(await hear(recognizer, twice))).toHaveLength(utterances);
  });

  it.each([0.05, 6, Number.NaN])('is refused when it is %d s', pauseSeconds => {
    expect(() => createPocketSphinxRecognizer({ pauseSeconds })).toThrow('pauseSeconds must be 0.1 to 5');
  });
});

describe("a decoder's process", { timeout: 120_000 }, () => {
  it('takes only its own session with it when it dies', async context => {
    const recognizer = create(context);
    const before = decoders();
    const doomed = await recognizer.open();
    const [pid] = decoders().filter(pid => !before.includes(pid));
    const other = await recognizer.open();
    const [doomedResults, otherResults] = [listen(doomed), listen(other)];
    const writing = doomed.write(repeated(sentence, 10)).catch(error => error);
    await other.write(sentence);
    process.kill(pid!, 'SIGSEGV');
    await expect(doomedResults.ended).rejects.toMatchObject({ code: 'engine-failed' });
    expect(await writing).toMatchObject({ code: 'engine-failed' });
    await expect(doomed.finish()).rejects.toMatchObject({ code: 'engine-failed' });
    await other.finish();
    expect(finalsOf(otherResults.results)).toHaveLength(1);
    // Its place is free again.
    await (await recognizer.open()).close();
  });

  it('takes only its own recording with it when it dies', async context => {
    const recognizer = create(context);
    const spoken = joined(sentence, silence(1));
    const { promise: pid, resolve: setPid } = Promise.withResolvers<number>();
    /** Goes on until the process is dead. */
    async function* endless() {
      yield spoken;
      yield spoken;
      process.kill(await pid, 'SIGSEGV');
      for (;;) yield spoken;
    }
    const doomed = recognizer.recognize(endless());
    const failed = expect(doomed).rejects.toMatchObject({
      code: 'engine-failed',
      message: expect.stringContaining('SIGSEGV'),
    });
    await eventually(() => expect(decoders()).toHaveLength(1));
    setPid(decoders()[0]!);
    const other = recognizer.recognize([spoken, spoken, spoken]);
    await failed;
    expect(await other).toHaveLength(3);
    expect(await recognizer.recognize([spoken])).toHaveLength(1);
  });

  it('is gone when the session is closed in the middle of decoding', async context => {
    const recognizer = create(context);
    const session = await recognizer.open();
    const pids = decoders();
    void session.write(repeated(sentence, 10)).catch(() => {});
    await session.close();
    expect(pids).not.toEqual([]);
    expect(pids.every(isGone)).toBe(true);
  });

  it('goes on to the last word when a terminal interrupts all processes', async context => {
    const recognizer = create(context);
    await using session = await recognizer.open();
    const { results } = listen(session);
    for (const pid of decoders())
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
    await session.write(sentence);
    await session.finish();
    expect(finalsOf(results)).toHaveLength(1);
  });

  it('ends with the process that started it, however that ends', async context => {
    if (missing) context.skip(missing);
    const owner = fork(new URL('./holdsSession.ts', import.meta.url), { execArgv: [] });
    const pids = await new Promise<number[]>(resolve => owner.once('message', resolve as () => void));
    expect(pids.length).toBeGreaterThan(0);
    owner.kill('SIGKILL');
    await eventually(() => expect(pids.filter(pid => !isGone(pid))).toEqual([]));
  });

  it('is given up when it does not get ready', async context => {
    if (missing) context.skip(missing);
    const clock = new VirtualClock();
    const decoder = startDecoder(await locatePocketSphinx(), { clock });
    for (const pid of decoders()) process.kill(pid, 'SIGSTOP');
    clock.advance(60_000);
    await expect(decoder.ready).rejects.toThrow('not ready after 60 s');
    expect(decoders()).toEqual([]);
  });

  it('that was still loading when its engine is closed is not told as a failure of it', async context => {
    const recognizer = create(context);
    const opening = recognizer.open();
    const refused = expect(opening).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => expect(decoders()).not.toEqual([]));
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    await recognizer.close();
    await refused;
    expect(isGone(pid!)).toBe(true);
  });

  it('is ready before the session that needs it', async context => {
    if (missing) context.skip(missing);
    await using recognizer = createPocketSphinxRecognizer({ maxSessions: 2, spareDecoders: 1 });
    await recognizer.warm();
    await recognizer.warm();
    const [spare, ...more] = decoders();
    expect(more).toEqual([]);
    await using session = await recognizer.open();
    await eventually(() => expect(decoders()).toHaveLength(2));
    expect(decoders()).toContain(spare);
    await session.close();
    expect(decoders()).not.toContain(spare);
  });
});

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
