import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { eventually } from '../../helpers/eventually.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { onlineCtcModel, tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear, listen, recognizerContract } from '../recognizerContract.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';

const ALPHA = ['▁al', 'pha'];
const BETA = ['▁be', 'ta'];
const ZULU = ['▁zu', 'lu'];
const speech = joined(toneSpeech(ALPHA, BETA), silence(0.8), toneSpeech(ZULU, ALPHA, BETA));

const model = await toneModelDirectory('online-nemo-ctc', {
  model: onnxModel(onlineCtcModel()),
  tokens: tokensText(),
});
afterAll(() => model[Symbol.asyncDispose]());

recognizerContract('sherpa-onnx with a streaming CTC model', {
  create: () => createSherpaRecognizer({ model, maxSessions: 2 }),
  speech: () => speech,
  phrases: { usable: [], unusable: 'alpha beta' },
});

function create(options: Partial<Parameters<typeof createSherpaRecognizer>[0]> = {}) {
  const recognizer = createSherpaRecognizer({ model, maxSessions: 2, ...options });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const processes = () => childrenWith('sherpa/child');
const finalsOf = (results: readonly RecognizerResult[]) => results.filter(result => result.type === 'final');
const textOf = (result: RecognizerResult) => result.words.map(word => word.value).join(' ');

describe('a streaming CTC model', { tags: 'slow', timeout: 120_000 }, () => {
  it('joins its tokens to words in their places', async () => {
    const finals = finalsOf(await hear(create(), speech));
    expect(finals.map(textOf)).toEqual(['alpha beta', 'zulu alpha beta']);
    const starts = finals.flatMap(final => final.words.map(word => word.startFrame / 16_000));
    const expected = [0, 0.32, 1.44, 1.76, 2.08];
    for (const [index, start] of expected.entries()) expect(starts[index]).toBeCloseTo(start, 1);
    expect(finals[0]!.endFrame).toBeLessThanOrEqual((0.44 + 0.3) * 16_000);
  });

  it('has words in their places, and pauses of their length, with longer steps', async () => {
    const coarse = await toneModelDirectory('online-nemo-ctc', {
      model: onnxModel(onlineCtcModel({ subsampling: 8 })),
      tokens: tokensText(),
    });
    onTestFinished(() => coarse[Symbol.asyncDispose]());
    const finals = finalsOf(await hear(create({ model: coarse }), speech));
    expect(finals.map(textOf)).toEqual(['alpha beta', 'zulu alpha beta']);
    const starts = finals.flatMap(final => final.words.map(word => word.startFrame / 16_000));
    const expected = [0, 0.32, 1.44, 1.76, 2.08];
    for (const [index, start] of expected.entries())
      expect(Math.abs(starts[index]! - start)).toBeLessThan(0.1);
    const joined = finalsOf(await hear(create({ model: coarse, pauseSeconds: 0.9 }), speech));
    expect(joined.map(textOf)).toEqual(['alpha beta zulu alpha beta']);
  });

  it('has words in their places after flushes, with one in the middle of a block', async () => {
    await using session = await create().open();
    const { results } = listen(session);
    let from = 0;
    // Between two words, in the pause, and twice at the same place.
    for (const to of [0.32, 0.9, 1.777, 1.777].map(seconds => Math.round(seconds * 16_000))) {
      await session.write(speech.subarray(from, to));
      await session.flush();
      from = to;
    }
    await session.write(speech.subarray(from));
    await session.finish();
    const finals = finalsOf(results);
    expect(finals.map(textOf)).toEqual(['alpha', 'beta', 'zulu', 'alpha beta']);
    const starts = finals.flatMap(final => final.words.map(word => word.startFrame / 16_000));
    const expected = [0, 0.32, 1.44, 1.76, 2.08];
    for (const [index, start] of starts.entries()) expect(start).toBeCloseTo(expected[index]!, 1);
  });

  it('ends an utterance after the given pause', async () => {
    const joined = finalsOf(await hear(create({ pauseSeconds: 1.5 }), speech));
    expect(joined.map(textOf)).toEqual(['alpha beta zulu alpha beta']);
  });

  it('shows each word during speech, without confidences', async () => {
    const results = await hear(create(), speech);
    const shown = results.filter(result => result.type === 'partial').map(textOf);
    expect(shown).toEqual(expect.arrayContaining(['al', 'alpha', 'alpha be', 'alpha beta', 'zulu alpha']));
    expect(results.flatMap(result => result.words).every(word => word.confidence === undefined)).toBe(true);
  });

  it('loses no word when a long sentence is cut', async () => {
    const words = Array.from({ length: 20 }, (_, index) => [ALPHA, BETA, ZULU][index % 3]!);
    const finals = finalsOf(await hear(create(), toneSpeech(...words), { maxSegmentSeconds: 2 }));
    expect(finals.length).toBeGreaterThan(2);
    expect(finals.map(textOf).join(' ')).toBe(words.map(tokens => tokens.join('').slice(1)).join(' '));
    expect(finals.slice(0, -1).every(final => final.cut)).toBe(true);
  });

  it('serves sessions by one process, and keeps it for the next', async () => {
    const recognizer = create();
    await recognizer.warm();
    const [pid] = processes();
    const one = await recognizer.open();
    const other = await recognizer.open();
    expect(processes()).toEqual([pid]);
    await one.close();
    await other.close();
    await hear(recognizer, speech);
    expect(processes()).toEqual([pid]);
    await recognizer.close();
    expect(isGone(pid!)).toBe(true);
  });

  it('frees an ended session while its process continues', async () => {
    const recognizer = create();
    const ended = await (async () => {
      const session = await recognizer.open();
      await session.close();
      return new WeakRef(session);
    })();
    await eventually(() => {
      collectGarbage();
      expect(ended.deref() === undefined).toBe(true);
    });
    expect(processes()).toHaveLength(1);
  });

  it('starts processes for many sessions, up to the threads', async () => {
    const recognizer = create({ maxSessions: 12, threads: 2 });
    for (let session = 0; session < 12; session++) await recognizer.open();
    expect(processes()).toHaveLength(2);
  });

  it('recognises recordings while all streams are in use', async () => {
    const recognizer = create({ maxSessions: 1 });
    await using _stream = await recognizer.open();
    expect(finalsOf(await recognizer.recognize([speech]))).toHaveLength(2);
    expect(recognizer.usage?.()).toMatchObject({ streams: 1, maxStreams: 1 });
    await expect(recognizer.open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails the sessions of a process that dies, and opens the next one in a new process', async () => {
    const recognizer = create();
    const sessions = [await recognizer.open(), await recognizer.open()].map(session => ({
      session,
      ...listen(session),
    }));
    const [pid] = processes();
    process.kill(pid!, 'SIGKILL');
    for (const { session, ended } of sessions) {
      await expect(ended).rejects.toMatchObject({ code: 'engine-failed' });
      await expect(session.write(speech)).rejects.toMatchObject({ code: 'engine-failed' });
      await expect(session.finish()).rejects.toMatchObject({ code: 'engine-failed' });
    }
    expect(finalsOf(await hear(recognizer, speech))).toHaveLength(2);
    expect(processes()).not.toContain(pid);
  });

  it('names a model that cannot be loaded, and survives it', async () => {
    const broken = await toneModelDirectory('online-nemo-ctc', {
      model: Buffer.from('this is no model'),
      tokens: tokensText(),
    });
    onTestFinished(() => broken[Symbol.asyncDispose]());
    const recognizer = create({ model: broken });
    await expect(recognizer.open()).rejects.toMatchObject(errorLike('engine-failed', broken.path));
    await expect(recognizer.warm()).rejects.toMatchObject({ code: 'engine-failed' });
    await eventually(() => expect(processes()).toEqual([]));
  });

  it('reports what a model of another kind lacks', async () => {
    const { metadata: _, ...plain } = onlineCtcModel();
    const other = await toneModelDirectory('online-nemo-ctc', {
      model: onnxModel(plain),
      tokens: tokensText(),
    });
    onTestFinished(() => other[Symbol.asyncDispose]());
    await expect(create({ model: other }).open()).rejects.toMatchObject(
      errorLike('engine-failed', /window_size/),
    );
  });

  it('names a missing file', async () => {
    const gone = { ...model, files: { ...model.files, tokens: `${model.path}/none.txt` } };
    await expect(create({ model: gone }).open()).rejects.toMatchObject(
      errorLike('engine-missing', 'none.txt'),
    );
  });

  it('rejects a model that recognises nothing', async () => {
    const voice = { ...model, kind: 'silero-vad' } as const;
    await expect(create({ model: voice }).open()).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
