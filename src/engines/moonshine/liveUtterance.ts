import { setTimeout } from 'node:timers/promises';
import type { SpeechSpan, SpeechSpans } from '../voice/speechSpans.ts';
import type { DecodedUtterance, DecodeRequest } from './child.ts';
import type { DecodedWord } from './decodedWords.ts';
import type { DecoderPool, PhraseList } from './decoderPool.ts';
import type { KnownSpeech } from './decodeUtterance.ts';

const SAMPLE_RATE = 16_000;
/** Audio before the first partial, including the pre-roll: less is seldom a word. */
const FIRST_FRAMES = 0.45 * SAMPLE_RATE;
/** New audio before another try, while there are no words. */
const FIRST_STEP_FRAMES = 0.15 * SAMPLE_RATE;
/** New audio before another partial. */
const STEP_FRAMES = 0.4 * SAMPLE_RATE;
/** Lag of partials behind audio that comes faster than real time, above which it is held back for a while. */
const MAX_LAG_FRAMES = SAMPLE_RATE;
const MAX_HOLD_MS = 500;

export interface LiveUtteranceOptions {
  readonly pool: DecoderPool;
  readonly spans: SpeechSpans;
  readonly startFrame: number;
  /** First frame of the audio that is passed with the utterance. */
  readonly leadFrame: number;
  /** Speech before the utterance, when that continues a cut one. */
  readonly known: Promise<KnownSpeech | undefined> | undefined;
  readonly phrases?: PhraseList;
  /** True when finals are decoded by the quick model too. */
  readonly isQuick: boolean;
  /** Called with the words so far, in frames of the stream, at least one. */
  readonly onWords: (words: readonly DecodedWord[]) => void;
}

/**
 * An utterance in progress, which is decoded repeatedly, one request at a time.
 *
 * The tokens of the last result are the guess of the next partial, which saves most of the decoder's time.
 * During a pause the utterance is decoded as if it had ended, so that the final is ready when the pause is long
 * enough.
 */
export class LiveUtterance {
  readonly startFrame: number;
  readonly #options: LiveUtteranceOptions;
  #isOver = false;
  #isShown = false;
  /** The partial that is being decoded, and the end of its audio. */
  #decoding: { readonly endFrame: number; readonly done: Promise<void> } | undefined;
  #nextFrame: number;
  #nextMs = 0;
  #guess: readonly number[] = [];
  /** True when the known speech is awaited, before which nothing can be decoded. */
  #isWaiting: boolean;
  #known: KnownSpeech | undefined;
  /** The request made during a pause. */
  #early: { readonly endFrame: number; readonly answer: Promise<DecodedUtterance | undefined> } | undefined;

  constructor(options: LiveUtteranceOptions) {
    this.#options = options;
    this.startFrame = options.startFrame;
    this.#nextFrame = this.startFrame + FIRST_FRAMES;
    this.#isWaiting = options.known !== undefined;
    void options.known?.then(known => {
      this.#isWaiting = false;
      this.#known = known;
    });
  }

  /** Decodes the audio so far when the next partial is due. */
  update(): void {
    const { spans, pool } = this.#options;
    if (this.#isOver || this.#isWaiting || this.#decoding) return;
    if (spans.now < this.#nextFrame || performance.now() < this.#nextMs) return;
    const decoded = pool.decode({
      priority: 'partial',
      phrases: this.#options.phrases,
      request: () => (this.#isOver ? undefined : this.#request(true, spans.now)),
    });
    const done = decoded
      .then(
        answer => this.#show(answer),
        // If the error persists, the final fails with it.
        () => {},
      )
      .finally(() => {
        this.#decoding = undefined;
        // Audio came meanwhile, and no more may come.
        this.update();
      });
    this.#decoding = { endFrame: spans.now, done };
  }

  /** Resolves when the partials have caught up with the audio, at the latest after {@link MAX_HOLD_MS}. */
  async catchUp(): Promise<void> {
    if (!this.#decoding || this.#options.spans.now - this.#decoding.endFrame < MAX_LAG_FRAMES) return;
    await Promise.race([this.#decoding.done, setTimeout(MAX_HOLD_MS, undefined, { ref: false })]);
  }

  /** Decodes the utterance as if it ended now. */
  pause({ endFrame }: SpeechSpan): void {
    const { pool, phrases } = this.#options;
    if (this.#isWaiting || !pool.isReady) return;
    // The request is made at once, as its audio may be dropped before its turn.
    const request = this.#request(false, endFrame);
    const answer = pool.decode({ priority: 'final', phrases, request: () => request });
    answer.then(
      found => this.#show(found),
      () => {},
    );
    this.#early = { endFrame, answer };
  }

  /**
   * Ends the utterance. Resolves with its result, in frames of the stream, if that was decoded during the pause.
   */
  async end({ endFrame }: SpeechSpan): Promise<DecodedUtterance | undefined> {
    this.drop();
    if (this.#early?.endFrame !== endFrame) return undefined;
    const answer = await this.#early.answer.catch(() => undefined);
    return answer && this.#placed(answer);
  }

  /** Ends the utterance without a result. */
  drop(): void {
    this.#isOver = true;
  }

  #request(isPartial: boolean, endFrame: number): DecodeRequest {
    const { spans } = this.#options;
    this.#nextFrame = endFrame + (this.#isShown ? STEP_FRAMES : FIRST_STEP_FRAMES);
    this.#nextMs = performance.now() + this.#options.pool.partialIntervalMs;
    const from = this.#firstFrame;
    const samples = spans.audio(from, endFrame);
    const known = this.#known && { ...this.#known, from: 0 };
    const place = { start: this.startFrame - from, known };
    const isQuick = isPartial || this.#options.isQuick;
    return { samples, ...place, isPartial, isQuick, ...(isPartial && { guess: this.#guess }) };
  }

  #show(answer: DecodedUtterance | undefined): void {
    // An empty or looping result is no better than the partial on display.
    if (!answer || this.#isOver || answer.words.length === 0 || answer.isLoop) return;
    this.#isShown = true;
    this.#guess = answer.tokens;
    this.#options.onWords(this.#placed(answer).words);
  }

  /** First frame of the audio of a request. */
  get #firstFrame(): number {
    return this.#known?.from ?? this.#options.leadFrame;
  }

  #placed(answer: DecodedUtterance): DecodedUtterance {
    return { ...answer, words: movedWords(answer.words, this.#firstFrame) };
  }
}

/** Returns the words shifted by some frames. */
export function movedWords(words: readonly DecodedWord[], frames: number): readonly DecodedWord[] {
  return words.map(word => ({
    ...word,
    startFrame: word.startFrame + frames,
    endFrame: word.endFrame + frames,
  }));
}
