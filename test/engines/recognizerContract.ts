import { afterAll, describe, expect, it, onTestFailed, onTestFinished, type TestContext } from 'vitest';
import type {
  RecognizedWord,
  Recognizer,
  RecognizerResult,
  RecognizerSession,
  RecognizerSessionOptions,
} from '../../src/engines/recognizer.ts';
import { stalledAudio } from '../helpers/cutAudio.ts';
import { eventually } from '../helpers/eventually.ts';
import { joined, silence } from '../helpers/sampleSpeech.ts';

export interface RecognizerUnderTest {
  /** Makes an engine that allows two sessions at a time. */
  readonly create: () => Recognizer;
  /** Speech of two utterances with a pause between, at the engine's rate. */
  readonly speech: () => Int16Array;
  /** Phrases that it can favour, if any, and one that it cannot. */
  readonly phrases: { readonly usable: readonly string[]; readonly unusable: string };
  /** Why the engine cannot run here; undefined when it can. */
  readonly missing?: string;
  /** Whether partials come by the clock: another run has others, while the finals are the same. Default false. */
  readonly partialsByClock?: boolean;
  /** Only what it hears, not how it opens and closes: for a second way to run the same engine. Default false. */
  readonly hearingOnly?: boolean;
}

/** Behaviour of every recogniser, for any speech. */
export function recognizerContract(name: string, engine: RecognizerUnderTest): void {
  function create(context: TestContext): Recognizer {
    if (engine.missing) context.skip(engine.missing);
    const recognizer = engine.create();
    onTestFinished(() => recognizer.close());
    return recognizer;
  }

  const shared: Recognizer[] = [];
  /** Returns an engine that tests share, since it loads a model. A test that fails leaves the next ones a new one. */
  function share(context: TestContext): Recognizer {
    if (engine.missing) context.skip(engine.missing);
    onTestFailed(async () => {
      await shared.pop()?.close();
    });
    if (shared.length === 0) shared.push(engine.create());
    return shared[0]!;
  }

  let hearing: Promise<readonly RecognizerResult[]> | undefined;
  /** Returns the results of the speech, recognised once for all tests. */
  function heard(context: TestContext): Promise<readonly RecognizerResult[]> {
    if (engine.missing) context.skip(engine.missing);
    hearing ??= hear(share(context), engine.speech());
    return hearing;
  }

  /** Returns the results that are the same in every run. */
  function lasting(results: readonly RecognizerResult[]): readonly RecognizerResult[] {
    return engine.partialsByClock ? results.filter(({ type }) => type === 'final') : results;
  }

  describe(`${name} as a recogniser`, { timeout: 120_000 }, () => {
    afterAll(() => shared.pop()?.close());

    it('returns partials during speech, if it can, and a final after each pause', async context => {
      const recognizer = share(context);
      await using session = await recognizer.open();
      const { results, ended } = listen(session);
      // Where somebody speaks, but no word is finished: the rest comes once something has been said of it.
      const opening = 1.2 * 16_000;
      const { partials } = recognizer.capabilities;
      await session.write(engine.speech().subarray(0, opening));
      if (partials && engine.partialsByClock) await eventually(() => expect(results).not.toEqual([]));
      await session.write(engine.speech().subarray(opening));
      await session.finish();
      await ended;
      const finals = results.filter(result => result.type === 'final');
      expect(finals.length).toBeGreaterThanOrEqual(2);
      expect(results[0]?.type).toBe(partials ? 'partial' : 'final');
      expect(results.at(-1)?.type).toBe('final');
    });

    it('measures its streams and recordings, if it can', async context => {
      const recognizer = create(context);
      if (!recognizer.usage) return;
      const before = recognizer.usage();
      expect(before).toMatchObject({ streams: 0, maxStreams: 2, lagMs: 0 });
      expect(before.decoders).toBeGreaterThan(0);
      expect(before.expectedCost).toBeGreaterThan(0);
      const noWork = { processorSeconds: 0, decodingSeconds: 0, yieldingSeconds: 0, audioSeconds: 0 };
      expect([before.streamWork, before.recordingWork]).toEqual([noWork, noWork]);
      const seconds = engine.speech().length / 16_000;
      await recognizer.recognize([engine.speech()]);
      expect(recognizer.usage().streamWork).toEqual(before.streamWork);
      const session = await recognizer.open();
      expect(recognizer.usage().streams).toBe(1);
      await session.write(engine.speech());
      await session.finish();
      await session.close();
      const { streams, streamWork, recordingWork, lagMs } = recognizer.usage();
      expect([streams, lagMs]).toEqual([0, 0]);
      for (const { processorSeconds, decodingSeconds, audioSeconds } of [streamWork, recordingWork]) {
        expect(audioSeconds).toBeCloseTo(seconds, 1);
        expect(processorSeconds).toBeGreaterThan(0);
        expect(decodingSeconds).toBeGreaterThan(0);
      }
    });

    it('never goes back in time, and stays within the audio', async context => {
      const speech = engine.speech();
      const results = await hear(share(context), speech);
      let ended = 0;
      for (const result of results.filter(result => result.type === 'final')) {
        expect(result.words.length).toBeGreaterThan(0);
        expect(result.startFrame).toBe(result.words[0]!.startFrame);
        expect(result.endFrame).toBe(result.words.at(-1)!.endFrame);
        for (const word of result.words) {
          expect(word.startFrame).toBeGreaterThanOrEqual(ended);
          expect(word.endFrame).toBeGreaterThan(word.startFrame);
          ended = word.endFrame;
        }
      }
      expect(ended).toBeLessThanOrEqual(engine.speech().length);
    });

    it('returns lower-case words, with confidences from 0 to 1 in finals, if it can, and none in partials', async context => {
      const results = await heard(context);
      const { confidences } = share(context).capabilities;
      const words = results.flatMap(result => result.words.map(word => ({ ...word, type: result.type })));
      expect(words.length).toBeGreaterThan(0);
      for (const { value, confidence, type } of words) {
        expect(value).toMatch(/^[a-z0-9'.-]+$/);
        if (type !== 'final' || (!confidences && confidence === undefined)) continue;
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    });

    it('returns the same results however the audio is cut', async context => {
      const results = await hear(share(context), engine.speech(), { pieces: 777 });
      expect(lasting(results)).toEqual(lasting(await heard(context)));
    });

    it('copies the given samples', async context => {
      const results = await hear(share(context), engine.speech().slice(), { overwrite: true });
      expect(lasting(results)).toEqual(lasting(await heard(context)));
    });

    it('finds no words in silence', async context => {
      const results = await hear(share(context), new Int16Array(10 * 16_000));
      expect(results).toEqual([]);
    });

    it('finds no words in no audio at all', async context => {
      const results = await hear(share(context), new Int16Array(0));
      expect(results).toEqual([]);
    });

    it('cuts a sentence above the segment limit, and continues after the last word', async context => {
      const results = await hear(share(context), engine.speech(), { maxSegmentSeconds: 1 });
      const finals = results.filter(result => result.type === 'final');
      expect(finals.some(final => final.cut)).toBe(true);
      for (const final of finals) expect(final.endFrame - final.startFrame).toBeLessThanOrEqual(2 * 16_000);
    });

    it('returns all words of audio that ends within a word, and that word up to the end', async context => {
      const words = wordsOf(await heard(context));
      const last = words.at(-1)!;
      const cut = engine.speech().subarray(0, (last.startFrame + last.endFrame) >> 1);
      const results = await hear(share(context), cut);
      expect(results.at(-1)?.type).toBe('final');
      const said = wordsOf(results);
      const isWhole = ({ endFrame }: RecognizedWord) => endFrame < cut.length - 0.15 * 16_000;
      const values = (some: readonly RecognizedWord[]) => some.map(({ value }) => value);
      expect(values(said.filter(isWhole))).toEqual(values(words.slice(0, -1).filter(isWhole)));
      expect(said.at(-1)!.endFrame).toBeLessThanOrEqual(cut.length);
    });

    it('ends an utterance at a flush, behind the audio so far, and goes on with another one', async context => {
      const expected = (await heard(context)).filter(({ type }) => type === 'final');
      const [{ words }] = expected as [RecognizerResult];
      const cut = words[Math.floor(words.length / 2) - 1]!.endFrame;
      await using session = await share(context).open();
      const { results, ended } = listen(session);
      const written = session.write(engine.speech().subarray(0, cut));
      const flushed = session.flush().then(() => results.length);
      const rest = session.write(engine.speech().subarray(cut));
      const [, atFlush] = await Promise.all([written, flushed, rest]);
      expect(results.slice(0, atFlush).some(({ type }) => type === 'final')).toBe(true);
      await session.finish();
      await ended;
      const finals = results.filter(({ type }) => type === 'final');
      expect(finals.length).toBeGreaterThan(expected.length);
      const values = ({ words }: RecognizerResult) => words.map(({ value }) => value);
      expect(values(finals.at(-1)!)).toEqual(values(expected.at(-1)!));
      expect(finals[0]!.endFrame).toBeLessThanOrEqual(cut);
      expect(finals.every(final => !final.cut)).toBe(true);
      const frames = finals.flatMap(({ words }) => words.flatMap(word => [word.startFrame, word.endFrame]));
      expect(frames).toEqual(frames.toSorted((one, other) => one - other));
    });

    it('says nothing more at a flush where nobody speaks', async context => {
      const expected = lasting(await heard(context));
      await using session = await share(context).open();
      const { results, ended } = listen(session);
      await session.flush();
      await session.write(joined(engine.speech(), silence(1)));
      for (let time = 0; time < 3; time++) {
        await session.flush();
        expect(lasting(results).at(-1)?.type).toBe('final');
        await session.write(silence(0.1));
      }
      await session.finish();
      await ended;
      const values = (finals: readonly RecognizerResult[]) =>
        finals.flatMap(({ type, words }) => (type === 'final' ? words.map(({ value }) => value) : []));
      expect(values(results)).toEqual(values(expected));
    });

    if (engine.hearingOnly) return;

    it('flushes nothing once finished or closed', async context => {
      const recognizer = share(context);
      await using finished = await recognizer.open();
      await finished.flush();
      const finishing = finished.finish();
      await expect(finished.flush()).rejects.toMatchObject({ code: 'aborted' });
      await finishing;
      const closed = await recognizer.open();
      await closed.close();
      await expect(closed.flush()).rejects.toMatchObject({ code: 'aborted' });
    });

    it('keeps two sessions apart', async context => {
      const recognizer = share(context);
      const [first, second] = await Promise.all([
        hear(recognizer, engine.speech(), { pieces: 4000 }),
        hear(recognizer, engine.speech().slice().reverse(), { pieces: 3000 }),
      ]);
      expect(lasting(first)).toEqual(lasting(await heard(context)));
      expect(lasting(second)).not.toEqual(lasting(first));
    });

    it('rejects one session too many, and accepts it after another has ended', async context => {
      const recognizer = share(context);
      const first = await recognizer.open();
      const second = await recognizer.open();
      await expect(recognizer.open()).rejects.toMatchObject({ code: 'unavailable' });
      await first.close();
      await (await recognizer.open()).close();
      await second.finish();
      await second.close();
      await (await recognizer.open()).close();
    });

    it('accepts no audio once finished', async context => {
      await using session = await share(context).open();
      const finishing = session.finish();
      await expect(session.write(new Int16Array(160))).rejects.toMatchObject({ code: 'aborted' });
      await finishing;
      await session.finish();
      await expect(session.write(new Int16Array(160))).rejects.toMatchObject({ code: 'aborted' });
    });

    it('returns nothing more when closed, and releases the waiting write', async context => {
      const session = await share(context).open();
      const { results, ended } = listen(session);
      const writing = session.write(repeated(engine.speech(), 5)).catch(error => error);
      await session.close();
      await ended;
      const heard = results.length;
      await session.close();
      await session.finish();
      await expect(session.write(new Int16Array(160))).rejects.toMatchObject({ code: 'aborted' });
      expect([undefined, 'aborted']).toContain((await writing)?.code);
      expect(results.length).toBe(heard);
    });

    it('closes when the signal is aborted', async context => {
      const recognizer = share(context);
      const controller = new AbortController();
      const session = await recognizer.open({ signal: controller.signal });
      const { ended } = listen(session);
      controller.abort(new Error('enough'));
      await ended;
      await expect(session.write(new Int16Array(160))).rejects.toMatchObject({ code: 'aborted' });
      await expect(recognizer.open({ signal: controller.signal })).rejects.toThrow('enough');
    });

    it('recognises a whole recording', async context => {
      const finals = await share(context).recognize(piecesOf(engine.speech(), 8000));
      expect(finals.length).toBeGreaterThanOrEqual(2);
      expect(finals.every(final => final.type === 'final' && final.words.length > 0)).toBe(true);
    });

    it('abandons a whole recording with the reason of the signal', async context => {
      const recognizer = share(context);
      const controller = new AbortController();
      const speech = engine.speech();
      async function* audio() {
        yield speech;
        controller.abort(new Error('enough'));
        yield speech;
      }
      await expect(recognizer.recognize(audio(), { signal: controller.signal })).rejects.toThrow('enough');
      await (await recognizer.open()).close();
    });

    it('abandons a stalled recording with the reason of the signal', async context => {
      const recognizer = share(context);
      const controller = new AbortController();
      const { signal } = controller;
      const recognizing = recognizer.recognize(stalledAudio(engine.speech(), controller), { signal });
      await expect(recognizing).rejects.toThrow('enough');
      await (await recognizer.open()).close();
    });

    it('names unusable phrases as given, with a reason', async context => {
      const recognizer = share(context);
      const { usable, unusable } = engine.phrases;
      expect(recognizer.capabilities.customVocabulary).toBe(usable.length > 0);
      expect(await recognizer.inspectPhrases([...usable, unusable, ...usable])).toEqual([
        { phrase: unusable, reason: expect.stringMatching(/./) },
      ]);
      expect(await recognizer.inspectPhrases(usable)).toEqual([]);
      expect(await recognizer.inspectPhrases([])).toEqual([]);
    });

    it('checks thousands of phrases while all of its sessions are in use', async context => {
      const recognizer = share(context);
      await using _one = await recognizer.open();
      await using _other = await recognizer.open();
      const { usable, unusable } = engine.phrases;
      const many = usable.flatMap(phrase => new Array<string>(6000 / usable.length).fill(phrase));
      expect(await recognizer.inspectPhrases([...many, unusable])).toHaveLength(1);
    });

    it('recognises phrases, and afterwards works as before', async context => {
      const recognizer = share(context);
      const phrases = [...engine.phrases.usable, engine.phrases.unusable];
      const results = await hear(recognizer, engine.speech(), { phrases });
      expect(results.filter(result => result.type === 'final').length).toBeGreaterThanOrEqual(2);
      for (const { value } of results.flatMap(result => result.words))
        expect(value).toMatch(/^[a-z0-9'.-]+$/);
      const whole = await recognizer.recognize([engine.speech()], { phrases });
      expect(whole.length).toBeGreaterThanOrEqual(2);
      const after = await hear(recognizer, engine.speech());
      expect(lasting(after)).toEqual(lasting(await heard(context)));
    });

    it('returns the same results with unusable phrases', async context => {
      const phrases = [engine.phrases.unusable];
      const results = await hear(share(context), engine.speech(), { phrases });
      expect(lasting(results)).toEqual(lasting(await heard(context)));
    });

    it('opens no session with phrases when the signal is aborted, and frees its place', async context => {
      const recognizer = share(context);
      const [first, second] = [new AbortController(), new AbortController()];
      const opening = [first, second].map(({ signal }) =>
        recognizer.open({ phrases: engine.phrases.usable, signal }),
      );
      const settled = Promise.allSettled(opening);
      first.abort(new Error('enough'));
      second.abort(new Error('enough'));
      for (const one of await settled) if (one.status === 'fulfilled') await one.value.close();
      await (await recognizer.open()).close();
      await (await recognizer.open({ phrases: engine.phrases.usable })).close();
    });

    it('rejects an unsupported language', async context => {
      await expect(share(context).open({ language: 'tlh' })).rejects.toMatchObject({
        code: 'invalid-argument',
      });
    });

    it('ends its sessions when it is closed, and opens no more', async context => {
      const recognizer = create(context);
      const { ended } = listen(await recognizer.open());
      await recognizer.close();
      await ended;
      await expect(recognizer.open()).rejects.toMatchObject({ code: 'unavailable' });
      await recognizer.close();
    });
  });
}

/** The words of all finals. */
function wordsOf(results: readonly RecognizerResult[]): readonly RecognizedWord[] {
  return results.flatMap(({ type, words }) => (type === 'final' ? words : []));
}

/** Everything that a session says of some audio. */
export async function hear(
  recognizer: Recognizer,
  audio: Int16Array,
  options: RecognizerSessionOptions & { readonly pieces?: number; readonly overwrite?: boolean } = {},
): Promise<readonly RecognizerResult[]> {
  const { pieces = 32_000, overwrite = false, ...sessionOptions } = options;
  await using session = await recognizer.open(sessionOptions);
  const { results, ended } = listen(session);
  for (const piece of piecesOf(audio, pieces)) {
    const written = session.write(piece);
    if (overwrite) piece.fill(12_345);
    await written;
  }
  await session.finish();
  await ended;
  return results;
}

/** Collects the results of a session from now on; `ended` rejects when the session fails. */
export function listen(session: RecognizerSession): {
  readonly results: readonly RecognizerResult[];
  readonly ended: Promise<void>;
} {
  const results: RecognizerResult[] = [];
  const ended = new Promise<void>((complete, error) => {
    session.results$.subscribe({ next: result => results.push(result), complete, error });
  });
  ended.catch(() => {});
  return { results, ended };
}

export function repeated(samples: Int16Array, times: number): Int16Array {
  const all = new Int16Array(samples.length * times);
  for (let time = 0; time < times; time++) all.set(samples, time * samples.length);
  return all;
}

function* piecesOf(samples: Int16Array, length: number): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += length) yield samples.subarray(at, at + length);
}
