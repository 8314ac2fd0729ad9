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
      finish: () => utterances?.finish(),
    };
  };
}

/** Audio goes to the model in blocks of this size whatever the writes are, so that the cutting changes nothing. */
const BLOCK_FRAMES = SAMPLE_RATE / 20;
/** A word that ends so close to a cut is probably unfinished. */
const UNFINISHED_FRAMES = 0.3 * SAMPLE_RATE;
/** Models hear a while ahead: the last words come after this many more steps of silence. */
const STEPS_AFTER_END = 3;
/** No model looks further ahead, in blocks. */
const MAX_BLOCKS_AFTER_END = (6 * SAMPLE_RATE) / BLOCK_FRAMES;

interface OnlineUtteranceOptions {
  readonly maxSegmentFrames: number;
  /** Seconds that a second of the model's times stands for. */
  readonly timeScale: number;
  /** Says a text for each token of the model. */
  readonly read: (tokens: readonly string[]) => readonly string[];
  /** As of a `TokenRun`. */
  readonly joinsByMark: boolean;
  readonly emit: (result: RecognizerResult) => void;
}

/** A stream of samples as utterances: partials while somebody speaks, a final at each pause. */
class OnlineUtterances {
  readonly #recognizer: OnlineRecognizer;
  readonly #options: OnlineUtteranceOptions;
  readonly #stream: OnlineStream;
  readonly #blocks = createBlocks(BLOCK_FRAMES);
  #now = 0;
  /** Where a cut was: words before it have been said. */
  #saidUntil = 0;
  /** Until when no word has come since the last reset: where words begin when the model does not tell. */
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

  /** Hears what is left. */
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

  /** How many steps the model could make. */
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

  /** Ends an utterance in the middle of speech, after a word. */
  #cut(words: readonly RecognizedWord[]): void {
    // Without times nothing tells which words are new after it.
    const isFinished = !this.#isTimed || this.#now - words.at(-1)!.endFrame >= UNFINISHED_FRAMES;
    const finished = isFinished || words.length === 1 ? words : words.slice(0, -1);
    this.#emitFinal(finished, true);
    this.#saidUntil = finished.at(-1)!.endFrame;
    // A word that goes on is lost by it.
    if (isFinished) this.#reset();
  }

  /** Makes the model forget the words; the stream goes on. */
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
      startFrame: this.#isTimed ? Math.round(result.start_time * SAMPLE_RATE) : this.#silentUntil,
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
