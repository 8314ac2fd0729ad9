import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { AlignedWord, Aligner, AlignOptions } from '../aligner.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { type AlignmentProcess, startAlignment } from './alignmentProcess.ts';
import type { HeardTextWord } from './heardRuns.ts';

const LANGUAGES: readonly string[] = ['en'];
/** Frames that are given to a process at once: a second. */
const BLOCK_FRAMES = VOICE_SAMPLE_RATE;

/**
 * Finds the words of English texts in speech by SoundSwallower, each recording in a process of its own.
 *
 * Text and speech may differ: words that are not said, or not where the text has them, get no times. There are no
 * confidences.
 *
 * @example
 * await using aligner = createAligner();
 * await aligner.align([new Int16Array(16_000)], ['silence']); // [{ value: 'silence' }]
 */
export function createAligner(): Aligner {
  const running = new Set<AlignmentProcess>();
  let closed = false;

  async function align(
    audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
    words: readonly string[],
    { language = 'en', signal }: AlignOptions = {},
  ): Promise<readonly AlignedWord[]> {
    if (!LANGUAGES.includes(language)) {
      throw new InvalidArgumentError(`align: language must be ${LANGUAGES.join(', ')}, found ${language}`);
    }
    signal?.throwIfAborted();
    if (closed) throw unavailable();
    if (words.length === 0) return [];
    const process = startAlignment();
    running.add(process);
    try {
      return placed(words, await untilAborted(find(process, audio, words, signal), signal));
    } catch (error) {
      throw closed ? unavailable(error) : error;
    } finally {
      running.delete(process);
      await process.kill();
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.all([...running].map(process => process.kill()));
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

async function find(
  process: AlignmentProcess,
  audio: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<readonly HeardTextWord[]> {
  await process.ask({ type: 'start', words });
  for await (const samples of audio) {
    for (let at = 0; at < samples.length; at += BLOCK_FRAMES) {
      signal?.throwIfAborted();
      await process.ask({ type: 'audio', samples: samples.slice(at, at + BLOCK_FRAMES) });
    }
  }
  const answer = await process.ask({ type: 'finish' });
  return answer.type === 'found' ? answer.words : [];
}

/** Words that were not found have no times: none are made up. */
function placed(words: readonly string[], found: readonly HeardTextWord[]): readonly AlignedWord[] {
  const times = new Map(found.map(({ word, startFrame, endFrame }) => [word, { startFrame, endFrame }]));
  return words.map((value, index) => ({ value, ...times.get(index) }));
}

function unavailable(cause?: unknown): RxscribeError {
  return new RxscribeError('unavailable', 'align: the engine is closed', { cause });
}
