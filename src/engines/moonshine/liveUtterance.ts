import { setTimeout } from 'node:timers/promises';
import type { SpeechSpan, SpeechSpans } from '../voice/speechSpans.ts';
import type { DecodedUtterance, DecodeRequest } from './child.ts';
import type { DecodedWord } from './decodedWords.ts';
import type { DecoderPool, PhraseList } from './decoderPool.ts';

const SAMPLE_RATE = 16_000;
/** The first partial is decoded when so much is there, the pre-roll included: less is seldom a word. */
const FIRST_FRAMES = 0.55 * SAMPLE_RATE;
/** New audio that is worth another try, while there are no words. */
const FIRST_STEP_FRAMES = 0.2 * SAMPLE_RATE;
/** New audio that is worth another partial. */
const STEP_FRAMES = 0.4 * SAMPLE_RATE;
/** Audio that comes faster than it is said is held up where a partial is so far behind it, but not for long. */
const MAX_LAG_FRAMES = SAMPLE_RATE;
const MAX_HOLD_MS = 500;

export interface LiveUtteranceOptions {
  readonly pool: DecoderPool;
  readonly spans: SpeechSpans;
  readonly startFrame: number;
  readonly phrases?: PhraseList;
  /** Called with the words so far, in frames of the stream, never none. */
  readonly onWords: (words: readonly DecodedWord[]) => void;
}

/**
 * An utterance that somebody is saying: it is decoded again and again, one request at a time.
 *
 * Words on which two decodings in a row agree are not decoded again but given to the decoder, which saves most of the
 * time; only partials begin with them, since finals would lose words by it. In a pause the utterance is decoded as if it
 * had ended, so that its final is there when the pause is long enough.
 */
export class LiveUtterance {
  readonly startFrame: number;
  readonly #options: LiveUtteranceOptions;
  #isOver = false;
  #isShown = false;
  /** The partial that is being decoded, and up to where. */
  #decoding: { readonly endFrame: number; readonly done: Promise<void> } | undefined;
  #nextFrame: number;
  #nextMs = 0;
  #words: readonly DecodedWord[] = [];
  #agreed: readonly number[] = [];
  /** The utterance as if it had ended. */
  #early: { readonly endFrame: number; readonly answer: Promise<DecodedUtterance | undefined> } | undefined;

  constructor(options: LiveUtteranceOptions) {
    this.#options = options;
    this.startFrame = options.startFrame;
    this.#nextFrame = this.startFrame + FIRST_FRAMES;
  }

  /** Decodes what has been said so far, where that is due. */
  update(): void {
    const { spans, pool } = this.#options;
    if (this.#decoding || spans.now < this.#nextFrame || performance.now() < this.#nextMs) return;
    const decoded = pool.decode({
      priority: 'partial',
      phrases: this.#options.phrases,
      request: () => (this.#isOver ? undefined : this.#request(spans.now, this.#agreed)),
    });
    const done = decoded
      .then(
        answer => this.#show(answer, true),
        // The final fails with it, if nothing changes.
        () => {},
      )
      .finally(() => {
        this.#decoding = undefined;
      });
    this.#decoding = { endFrame: spans.now, done };
  }

  /** Resolves when the partials have come near the audio, or at the latest after {@link MAX_HOLD_MS}. */
  async keepUp(): Promise<void> {
    if (!this.#decoding || this.#options.spans.now - this.#decoding.endFrame < MAX_LAG_FRAMES) return;
    await Promise.race([this.#decoding.done, setTimeout(MAX_HOLD_MS, undefined, { ref: false })]);
  }

  /** Decodes the utterance as it would be if it ended now. */
  pause({ endFrame }: SpeechSpan): void {
    const { pool, phrases } = this.#options;
    if (!pool.isReady) return;
    // Made now: when it is its turn, the audio may be forgotten.
    const request = this.#request(endFrame);
    const answer = pool.decode({ priority: 'final', phrases, request: () => request });
    answer.then(
      found => this.#show(found, false),
      () => {},
    );
    this.#early = { endFrame, answer };
  }

  /** Ends the utterance. Resolves with its words, if they have been decoded in its pause, and need no other try. */
  async end({ endFrame }: SpeechSpan): Promise<DecodedUtterance | undefined> {
    this.drop();
    if (this.#early?.endFrame !== endFrame) return undefined;
    const answer = await this.#early.answer.catch(() => undefined);
    return answer?.isSuspicious ? undefined : answer;
  }

  /** Ends it without a result. */
  drop(): void {
    this.#isOver = true;
  }

  #request(endFrame: number, prefix?: readonly number[]): DecodeRequest {
    const { spans } = this.#options;
    this.#nextFrame = endFrame + (this.#isShown ? STEP_FRAMES : FIRST_STEP_FRAMES);
    this.#nextMs = performance.now() + this.#options.pool.partialIntervalMs;
    const samples = spans.audio(this.startFrame, endFrame);
    return { samples, start: 0, end: samples.length, effort: 'once', prefix };
  }

  #show(answer: DecodedUtterance | undefined, agrees: boolean): void {
    // One that is empty, or goes round in circles, is no better than what is shown.
    if (!answer || this.#isOver || answer.words.length === 0 || answer.isLoop) return;
    this.#isShown = true;
    if (agrees) this.#agree(answer);
    this.#options.onWords(movedWords(answer.words, this.startFrame));
  }

  #agree({ words, tokens }: DecodedUtterance): void {
    const last = this.#words;
    this.#words = words;
    // The last word of each is perhaps not finished.
    let count = 0;
    while (count < Math.min(words.length, last.length) - 1 && words[count]!.value === last[count]!.value)
      count++;
    const agreed = tokens.slice(0, words[count - 1]?.tokensTo ?? 0);
    if (agreed.length > this.#agreed.length) this.#agreed = agreed;
  }
}

/** Moves words by some frames. */
export function movedWords(words: readonly DecodedWord[], frames: number): readonly DecodedWord[] {
  return words.map(word => ({
    ...word,
    startFrame: word.startFrame + frames,
    endFrame: word.endFrame + frames,
  }));
}
