import { setImmediate } from 'node:timers/promises';
import type { OnlineRecognizer, OnlineStream } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import { createBlocks } from '../../../audio/sampleBuffers.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import type { RecognizedWord, RecognizerResult } from '../../recognizer.ts';
import { SAMPLE_RATE, type SessionMethods, type SherpaTask } from '../tasks.ts';
import { createTokenReader } from '../tokens/byteTokens.ts';
import { wordsOfTokens } from '../tokens/tokenWords.ts';

/** Recognises live streams, with one model for all of them. */
export function createOnlineWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  { config, timeScale, joinsByMark }: Extract<SherpaTask, { does: 'online' }>,
): ChannelOpener<SessionMethods, RecognizerResult> {
  const recognizer = new sherpa.OnlineRecognizer(config);
  const read = createTokenReader(config);
  return emit => {
    let utterances: OnlineUtterances | undefined;
    return {
      start({ maxSegmentFrames }) {
        utterances = new OnlineUtterances(recognizer, {
          maxSegmentFrames,
          timeScale,
          read,
          joinsByMark,
          emit,
        });
      },
      async write(samples) {
        utterances?.write(samples);
        // Decoding blocks: let the other streams have their turn.
        await setImmediate();
      },
      flush: () => utterances?.flush(),
      finish: () => utterances?.finish(),
    };
  };
}

/** Frames of the blocks that the model gets, so that the sizes of writes do not matter. */
const BLOCK_FRAMES = SAMPLE_RATE / 20;
/** Frames before a cut within which the last word is probably unfinished. */
const UNFINISHED_FRAMES = 0.3 * SAMPLE_RATE;
/** Steps of silence after the end: models look ahead before they emit the last words. */
const STEPS_AFTER_END = 3;
/** Limit of the look-ahead of any model, in blocks. */
const MAX_BLOCKS_AFTER_END = (6 * SAMPLE_RATE) / BLOCK_FRAMES;

interface OnlineUtteranceOptions {
  readonly maxSegmentFrames: number;
  /** Seconds for each second of the model's times. */
  readonly timeScale: number;
  /** Returns the text of each token. */
  readonly read: (tokens: readonly string[]) => readonly string[];
  /** As in a `TokenRun`. */
  readonly joinsByMark: boolean;
  readonly emit: (result: RecognizerResult) => void;
}

/** Turns a stream into partials during speech and a final at each pause. */
class OnlineUtterances {
  readonly #recognizer: OnlineRecognizer;
  readonly #options: OnlineUtteranceOptions;
  #stream: OnlineStream;
  readonly #blocks = createBlocks(BLOCK_FRAMES);
  #now = 0;
  /** Frame at which the model's stream begins. */
  #origin = 0;
  /** Frame of the last cut: words before it are done. */
  #saidUntil = 0;
  /**
   * Frame up to which there was no word since the last reset: the start of words when the model gives no
   * times.
   */
  #silentUntil = 0;
  #isTimed = true;
  #shown = '';

  constructor(recognizer: OnlineRecognizer, options: OnlineUtteranceOptions) {
    this.#recognizer = recognizer;
    this.#options = options;
    this.#stream = recognizer.createStream();
  }

  write(samples: Int16Array): void {
    this.#blocks.push(samples, block => {
      this.#now += block.length;
      this.#feed(block);
    });
  }

  /** Recognises the rest as an utterance, and begins another one. */
  flush(): void {
    this.finish();
    // The model has heard silence that is not in the audio.
    this.#stream = this.#recognizer.createStream();
    this.#origin = this.#now;
    this.#silentUntil = this.#now;
  }

  /** Recognises the rest. */
  finish(): void {
    const rest = this.#blocks.rest();
    if (this.#now + rest.length === 0) return;
    this.#now += rest.length;
    let steps = this.#feed(rest) > 0 ? 0 : -1;
    const silence = new Int16Array(BLOCK_FRAMES);
    for (let block = 0; block < MAX_BLOCKS_AFTER_END && steps < STEPS_AFTER_END; block++) {
      steps += this.#feed(silence);
    }
    this.#emitFinal(this.#words());
  }

  /** Returns the number of steps that the model made. */
  #feed(samples: Int16Array): number {
    this.#stream.acceptWaveform({ samples: toFloats(samples), sampleRate: SAMPLE_RATE });
    let steps = 0;
    for (; this.#recognizer.isReady(this.#stream); steps++) {
      this.#recognizer.decode(this.#stream);
      this.#look();
    }
    return steps;
  }

  #look(): void {
    const words = this.#words();
    if (this.#recognizer.isEndpoint(this.#stream)) {
      this.#emitFinal(words);
      this.#reset();
    } else if (words.length > 0 && this.#now - words[0]!.startFrame >= this.#options.maxSegmentFrames) {
      this.#cut(words);
    } else {
      this.#show(words);
    }
  }

  /** Ends an utterance during speech, after a word. */
  #cut(words: readonly RecognizedWord[]): void {
    // Without times, new words cannot be distinguished from old ones.
    const isFinished = !this.#isTimed || this.#isFinished(words);
    const finished = isFinished || words.length === 1 ? words : words.slice(0, -1);
    this.#emitFinal(finished, true);
    this.#saidUntil = finished.at(-1)!.endFrame;
    // A reset loses an unfinished word.
    if (isFinished) this.#reset();
  }

  #isFinished(words: readonly RecognizedWord[]): boolean {
    return this.#isTimed && this.#now - words.at(-1)!.endFrame >= UNFINISHED_FRAMES;
  }

  /** Makes the model forget the words; the stream continues. */
  #reset(): void {
    this.#recognizer.reset(this.#stream);
    this.#silentUntil = this.#now;
  }

  #words(): readonly RecognizedWord[] {
    const result = this.#recognizer.getResult(this.#stream);
    if (result.tokens.length === 0) this.#silentUntil = this.#now;
    this.#isTimed = result.timestamps.length === result.tokens.length;
    const words = wordsOfTokens({
      tokens: this.#options.read(result.tokens),
      timestamps: result.timestamps.map(seconds => seconds * this.#options.timeScale),
      logProbabilities: result.ys_probs,
      joinsByMark: this.#options.joinsByMark,
      startFrame: this.#isTimed
        ? this.#origin + Math.round(result.start_time * SAMPLE_RATE)
        : this.#silentUntil,
      endFrame: this.#now,
    });
    return this.#saidUntil === 0 ? words : words.filter(word => word.startFrame >= this.#saidUntil);
  }

  #show(words: readonly RecognizedWord[]): void {
    const text = words.map(word => word.value).join(' ');
    if (text === this.#shown) return;
    this.#shown = text;
    this.#emit(
      'partial',
      words.map(({ confidence: _, ...word }) => word),
    );
  }

  #emitFinal(words: readonly RecognizedWord[], cut = false): void {
    if (words.length === 0) {
      this.#show([]);
    } else {
      this.#shown = '';
      this.#emit('final', words, cut);
    }
  }

  #emit(type: RecognizerResult['type'], words: readonly RecognizedWord[], cut = false): void {
    const startFrame = words[0]?.startFrame ?? this.#now;
    const endFrame = words.at(-1)?.endFrame ?? this.#now;
    this.#options.emit({ type, startFrame, endFrame, words, ...(cut && { cut }) });
  }
}
