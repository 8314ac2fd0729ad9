import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { AlignedWord, Aligner, AlignOptions } from '../aligner.ts';
import { createMoonshineRecognizer } from '../moonshine/recognizer.ts';
import { startChildProcess } from '../process/childProcess.ts';
import { entryBeside, startWork, type Work, type WorkChannel } from '../process/work.ts';
import type { Recognizer, RecognizerResult } from '../recognizer.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { AlignmentMethods } from './child.ts';
import type { TimedWord } from './pieceListener.ts';

export interface AlignerOptions {
  /** English, and 16 kHz; stays open. Default: Moonshine, of the aligner's own. */
  readonly recognizer?: Recognizer;
}

type Audio = AsyncIterable<Int16Array> | Iterable<Int16Array>;

const LANGUAGES: readonly string[] = ['en'];
/** Young objects are collected soon: reading the dictionary leaves much garbage behind. */
const FLAGS = ['--max-semi-space-size=4'];
/** Frames that are given to a process at once: a second. */
const BLOCK_FRAMES = VOICE_SAMPLE_RATE;

/**
 * Finds the words of English texts in speech: by those that a recogniser hears, with times that SoundSwallower corrects
 * by how the words sound, each recording in a process of its own.
 *
 * Text and speech may differ: words that are not said, or not where the text has them, get no times. There are no
 * confidences. Meanwhile the audio is in a file of the system's temporary directory, 115 MB an hour.
 *
 * @example
 * await using aligner = createAligner();
 * await aligner.align([new Int16Array(16_000)], ['silence']); // [{ value: 'silence' }]
 */
export function createAligner(options: AlignerOptions = {}): Aligner {
  const { recognizer = createMoonshineRecognizer() } = options;
  const running = new Set<Work<AlignmentMethods>>();
  const closing = new AbortController();

  async function align(
    audio: Audio,
    words: readonly string[],
    { language = 'en', signal }: AlignOptions = {},
  ): Promise<readonly AlignedWord[]> {
    if (!LANGUAGES.includes(language)) {
      throw new InvalidArgumentError(`align: language must be ${LANGUAGES.join(', ')}, found ${language}`);
    }
    signal?.throwIfAborted();
    if (closing.signal.aborted) throw unavailable();
    if (words.length === 0) return [];
    const child = startChildProcess(entryBeside(import.meta, 'child'), { flags: FLAGS });
    const work = startWork<AlignmentMethods>(child, { task: 'align' });
    running.add(work);
    const over = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
    try {
      const channel = work.openChannel();
      const finals = await recognizer.recognize(kept(audio, channel), { language, signal: over });
      return placed(words, await find(channel, words, finals, over));
    } catch (error) {
      throw closing.signal.aborted ? unavailable(error) : error;
    } finally {
      running.delete(work);
      await work.kill();
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    await Promise.all([...running].map(work => work.kill()));
    if (!options.recognizer) await recognizer.close();
  }

  return {
    name: 'soundswallower',
    languages: LANGUAGES,
    sampleRate: VOICE_SAMPLE_RATE,
    align,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The same audio, which the process has too once it is taken. */
async function* kept(audio: Audio, channel: WorkChannel<AlignmentMethods>): AsyncGenerator<Int16Array> {
  for await (const samples of audio) {
    for (let at = 0; at < samples.length; at += BLOCK_FRAMES) {
      const block = samples.slice(at, at + BLOCK_FRAMES);
      await channel.call('write', [block]);
      yield block;
    }
  }
}

async function find(
  channel: WorkChannel<AlignmentMethods>,
  words: readonly string[],
  finals: readonly RecognizerResult[],
  signal: AbortSignal,
): Promise<readonly TimedWord[]> {
  const utterances = finals.map(final =>
    final.words.map(({ value, startFrame, endFrame }) => ({ value, startFrame, endFrame })),
  );
  return channel.call('align', [words, utterances], { signal });
}

/** Words that were not found have no times: none are made up. */
function placed(words: readonly string[], found: readonly TimedWord[]): readonly AlignedWord[] {
  const times = new Map(found.map(({ word, startFrame, endFrame }) => [word, { startFrame, endFrame }]));
  return words.map((value, index) => ({ value, ...times.get(index) }));
}

function unavailable(cause?: unknown): RxscribeError {
  return new RxscribeError('unavailable', 'align: the engine is closed', { cause });
}
