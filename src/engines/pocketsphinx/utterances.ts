import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { type Decoder, type Hypothesis, SAMPLE_RATE } from './decoder.ts';
import { createRecentAudio } from '../../audio/recentAudio.ts';

/** Audio goes to the decoder in pieces of this size whatever the writes are, so that the cutting changes nothing. */
const PIECE_FRAMES = SAMPLE_RATE / 50;
const PARTIAL_EVERY_FRAMES = SAMPLE_RATE / 10;
/** Audio before the detector hears speech that belongs to the utterance. */
const PRE_ROLL_FRAMES = 0.3 * SAMPLE_RATE;
/** How far a cut looks back for the end of a word. */
const MAX_REPLAY_FRAMES = 2 * SAMPLE_RATE;
/** A word that ends so close to a cut is probably unfinished. */
const UNFINISHED_FRAMES = 0.3 * SAMPLE_RATE;

export interface UtteranceOptions {
  readonly maxSegmentFrames: number;
  readonly emit: (result: RecognizerResult) => void;
  /** Hears a whole utterance a second time; its words replace the first ones. */
  readonly secondDecoder?: Decoder;
}

/**
 * A stream of samples as utterances: partials while somebody speaks, a final at each pause.
 *
 * Words are on the clock of the stream, whatever was replayed.
 */
export class Utterances {
  readonly #decoder: Decoder;
  readonly #options: UtteranceOptions;
  readonly #recent = createRecentAudio();
  readonly #piece = new Int16Array(PIECE_FRAMES);
  #pieceFilled = 0;
  /** Frames given to the decoder; `#replayed` of them were given twice. */
  #fed = 0;
  #replayed = 0;
  #utteranceStart = 0;
  #speechStart: number | undefined;
  #nextPartialAt = 0;
  #shown = '';

  constructor(decoder: Decoder, options: UtteranceOptions) {
    this.#decoder = decoder;
    this.#options = options;
    decoder.startStream();
    decoder.startUtterance();
  }

  write(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const taken = samples.subarray(at, at + PIECE_FRAMES - this.#pieceFilled);
      this.#piece.set(taken, this.#pieceFilled);
      this.#pieceFilled += taken.length;
      at += taken.length;
      if (this.#pieceFilled < PIECE_FRAMES) return;
      this.#pieceFilled = 0;
      this.#feed(this.#piece);
    }
  }

  /** Ends the last utterance. */
  finish(): void {
    if (this.#pieceFilled > 0) this.#feed(this.#piece.subarray(0, this.#pieceFilled));
    this.#emitFinal(this.#hear());
  }

  get #now(): number {
    return this.#fed - this.#replayed;
  }

  #feed(samples: Int16Array): void {
    const speaking = this.#decoder.process(samples);
    this.#recent.push(samples);
    this.#fed += samples.length;
    if (!speaking) {
      if (this.#speechStart !== undefined) this.#endUtterance();
      this.#recent.keep(PRE_ROLL_FRAMES);
      return;
    }
    if (this.#speechStart === undefined) {
      this.#speechStart = this.#fed;
      this.#nextPartialAt = this.#fed;
    }
    if (this.#fed - this.#speechStart >= this.#options.maxSegmentFrames) this.#cut();
    else if (this.#fed >= this.#nextPartialAt) this.#showPartial();
  }

  #showPartial(): void {
    this.#nextPartialAt = this.#fed + PARTIAL_EVERY_FRAMES;
    this.#show(this.#onStreamClock(this.#decoder.hypothesis()));
  }

  #show(words: readonly RecognizedWord[]): void {
    const text = words.map(word => word.value).join(' ');
    if (text === this.#shown) return;
    this.#shown = text;
    this.#options.emit(resultOf('partial', words, this.#now));
  }

  #endUtterance(): void {
    this.#emitFinal(this.#hear());
    this.#startUtterance();
  }

  /** Ends an utterance in the middle of speech, after a word; what was said since is heard again. */
  #cut(): void {
    const words = this.#hear();
    const replay = this.#replayAfter(words);
    this.#emitFinal(replay > 0 ? words.slice(0, -1) : words, true);
    const again = this.#recent.last(replay);
    this.#startUtterance();
    this.#replayed += again.length;
    for (let at = 0; at < again.length; at += PIECE_FRAMES) this.#feed(again.subarray(at, at + PIECE_FRAMES));
  }

  /** Frames from the start of the last word, if that is probably unfinished. */
  #replayAfter(words: readonly RecognizedWord[]): number {
    const last = words.at(-1);
    if (!last || words.length === 1 || this.#now - last.endFrame >= UNFINISHED_FRAMES) return 0;
    const replay = this.#now - last.startFrame;
    return replay <= Math.min(MAX_REPLAY_FRAMES, this.#options.maxSegmentFrames / 2) ? replay : 0;
  }

  #hear(): readonly RecognizedWord[] {
    const { secondDecoder } = this.#options;
    const words = this.#onStreamClock(this.#decoder.endUtterance());
    if (!secondDecoder || words.length === 0) return words;
    const from = Math.max(this.#utteranceStart, (this.#speechStart ?? this.#fed) - PRE_ROLL_FRAMES);
    const samples = this.#recent.last(this.#fed - from);
    return moved(secondDecoder.decodeWhole(samples).words, this.#now - samples.length);
  }

  #emitFinal(words: readonly RecognizedWord[], cut = false): void {
    if (words.length > 0) {
      this.#shown = '';
      this.#options.emit({ ...resultOf('final', words, this.#now), ...(cut && { cut }) });
    } else {
      this.#show([]);
    }
  }

  #startUtterance(): void {
    this.#decoder.startUtterance();
    this.#utteranceStart = this.#fed;
    this.#speechStart = undefined;
    this.#recent.keep(0);
  }

  #onStreamClock({ startFrame, words }: Hypothesis): readonly RecognizedWord[] {
    // Where speech follows at once upon the last utterance, the decoder dates it back by more than there is.
    const early = Math.max(0, this.#utteranceStart - startFrame);
    return moved(words, early - this.#replayed);
  }
}

function moved(words: readonly RecognizedWord[], frames: number): readonly RecognizedWord[] {
  if (frames === 0) return words;
  return words.map(word => ({
    ...word,
    startFrame: word.startFrame + frames,
    endFrame: word.endFrame + frames,
  }));
}

function resultOf(
  type: 'partial' | 'final',
  words: readonly RecognizedWord[],
  now: number,
): RecognizerResult {
  return {
    type,
    startFrame: words[0]?.startFrame ?? now,
    endFrame: words.at(-1)?.endFrame ?? now,
    words,
  };
}
