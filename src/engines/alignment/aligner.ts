import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { AlignedWord, Aligner, AlignOptions } from '../aligner.ts';
import { createMoonshineRecognizer } from '../moonshine/recognizer.ts';
import { startChildProcess } from '../process/childProcess.ts';
import { entryBeside, startWork, type Work, type WorkChannel } from '../process/work.ts';
import type { Recognizer, RecognizerResult } from '../recognizer.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { AlignmentMethods } from './child.ts';
import type { TimedWord } from './pieceSearch.ts';

export interface AlignerOptions {
  /** A recogniser of English at 16 kHz, which stays open. Default: an own Moonshine recogniser. */
  readonly recognizer?: Recognizer;
}

type Audio = AsyncIterable<Int16Array> | Iterable<Int16Array>;

const LANGUAGES: readonly string[] = ['en'];
/** A small young generation is collected early: reading the dictionary leaves much garbage. */
const FLAGS = ['--max-semi-space-size=4'];
/** Frames of a message to a process: a second. */
const BLOCK_FRAMES = VOICE_SAMPLE_RATE;

/**
 * Creates an aligner for English text. It matches the text with recognised words; SoundSwallower then
 * corrects their times by pronunciation, in one process for each recording.
 *
 * Text and speech may differ: words that are not said, or said elsewhere, get no times. There are no
 * confidences. Meanwhile the audio is in a temporary file of the system, 115 MB an hour.
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
      throw new InvalidArgumentError(`Cannot align '${language}' (supported: ${LANGUAGES.join(', ')}).`);
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

/** Passes the audio on after the process has stored it. */
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

/** Adds times to the words that were found, and none to the others. */
function placed(words: readonly string[], found: readonly TimedWord[]): readonly AlignedWord[] {
  const times = new Map(found.map(({ word, startFrame, endFrame }) => [word, { startFrame, endFrame }]));
  return words.map((value, index) => ({ value, ...times.get(index) }));
}

function unavailable(cause?: unknown): RxscribeError {
  return new RxscribeError('unavailable', 'Cannot align: the engine is closed.', { cause });
}
