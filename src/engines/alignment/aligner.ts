import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import type { AlignedWord, Aligner, AlignOptions } from '../aligner.ts';
import { createMoonshineRecognizer } from '../moonshine/recognizer.ts';
import { ProcessPool } from '../process/processPool.ts';
import { entryBeside, startWork, type WorkChannel } from '../process/work.ts';
import type { Recognizer } from '../recognizer.ts';
import { audioBlocks } from '../voice/audioBlocks.ts';
import { VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { AlignmentMethods } from './child.ts';
import { DICTIONARY_FLAGS } from './englishModel.ts';
import type { TimedWord } from './pieceSearch.ts';

export interface AlignerOptions {
  /** A recogniser of English at 16 kHz, which stays open. Default: an own Moonshine recogniser. */
  readonly recognizer?: Recognizer;
}

type Audio = AsyncIterable<Int16Array> | Iterable<Int16Array>;

const LANGUAGES: readonly string[] = ['en'];
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
  const recordings = new ProcessPool<AlignmentMethods>({
    task: 'align',
    start: () => startWork(entryBeside(import.meta, 'child'), { task: 'align', flags: DICTIONARY_FLAGS }),
  });
  const closing = new AbortController();

  function requireAble({ language = 'en', signal }: AlignOptions): AbortSignal {
    if (!LANGUAGES.includes(language)) {
      throw new InvalidArgumentError(`Cannot align '${language}' (supported: ${LANGUAGES.join(', ')}).`);
    }
    const over = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
    over.throwIfAborted();
    return over;
  }

  async function align(
    audio: Audio,
    words: readonly string[],
    options: AlignOptions = {},
  ): Promise<readonly AlignedWord[]> {
    const over = requireAble(options);
    if (words.length === 0) return [];
    const channel = await recordings.take(undefined, { lasting: false, signal: over });
    try {
      const { language = 'en' } = options;
      const finals = await recognizer.recognize(kept(audio, channel), { language, signal: over });
      const heard = finals.map(final => final.words);
      return placed(words, await channel.call('align', [words, heard], { signal: over }));
    } finally {
      await channel.release();
    }
  }

  async function close(): Promise<void> {
    closing.abort(new RxscribeError('unavailable', 'Cannot align: the engine is closed.'));
    await recordings.close();
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
  for await (const block of audioBlocks(audio, BLOCK_FRAMES)) {
    await channel.call('write', [block]);
    yield block;
  }
}

/** Adds times to the words that were found, and none to the others. */
function placed(words: readonly string[], found: readonly TimedWord[]): readonly AlignedWord[] {
  const times = new Map(found.map(({ word, startFrame, endFrame }) => [word, { startFrame, endFrame }]));
  return words.map((value, index) => ({ value, ...times.get(index) }));
}
