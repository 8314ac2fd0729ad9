import { createRecentAudio } from '../../audio/recentAudio.ts';
import type { RecognizerResult } from '../recognizer.ts';
import type { Endpointer } from '../voice/endpointer.ts';
import { VOICE_WINDOW_FRAMES } from '../voice/voiceDetector.ts';
import { textOf, type WordSequence } from './alternatives.ts';
import { type Decoder, SAMPLE_RATE } from './decoder.ts';

const PARTIAL_EVERY_FRAMES = SAMPLE_RATE / 10;
/** Audio that can be heard again: an utterance begins before it is noticed, and a cut lies back. */
const KEPT_FRAMES = 2 * SAMPLE_RATE;
/** Audio is replayed in pieces of this size, so that no call takes long. */
const PIECE_FRAMES = SAMPLE_RATE / 50;
/** A word that ends so close to a cut is probably unfinished. */
const UNFINISHED_FRAMES = 0.3 * SAMPLE_RATE;

export interface UtteranceOptions {
  /** Tells where somebody speaks; nothing else is decoded. */
  readonly endpointer: Endpointer;
  readonly maxSegmentFrames: number;
  /** Of each final, at most. */
  readonly alternatives: number;
  readonly emit: (result: RecognizerResult) => void;
}

/** An utterance, on the clock of the stream. */
interface Heard {
  readonly words: WordSequence;
  readonly alternatives: readonly WordSequence[];
}

/**
 * A stream of samples as utterances: partials while somebody speaks, a final at each pause.
 *
 * Words are on the clock of the stream, whatever was passed over or replayed. Audio is judged in windows of one size
 * whatever the writes are, so that the cutting changes nothing.
 */
export class Utterances {
  readonly #decoder: Decoder;
  readonly #options: UtteranceOptions;
  readonly #recent = createRecentAudio();
  readonly #window = new Int16Array(VOICE_WINDOW_FRAMES);
  #filled = 0;
  #now = 0;
  /** Where the decoder's utterance starts; undefined while nobody speaks. */
  #start: number | undefined;
  #nextPartialAt = 0;
  #shown = '';

  constructor(decoder: Decoder, options: UtteranceOptions) {
    this.#decoder = decoder;
    this.#options = options;
  }

  write(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const taken = samples.subarray(at, at + VOICE_WINDOW_FRAMES - this.#filled);
      this.#window.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      if (this.#filled < VOICE_WINDOW_FRAMES) return;
      this.#filled = 0;
      this.#listen(this.#window);
    }
  }

  /** Ends the last utterance. */
  finish(): void {
    if (this.#start === undefined) return;
    const rest = this.#window.subarray(0, this.#filled);
    this.#take(rest);
    if (rest.length > 0) this.#decoder.process(rest);
    this.#emitFinal(this.#hear(this.#start));
    this.#start = undefined;
  }

  #listen(window: Int16Array): void {
    this.#take(window);
    const edge = this.#options.endpointer.process(window);
    if (edge?.type === 'start') this.#startUtterance(edge.frame);
    else if (this.#start !== undefined) this.#decoder.process(window);
    this.#recent.keep(KEPT_FRAMES);
    if (this.#start === undefined) return;
    if (edge?.type === 'end') this.#endUtterance(this.#start);
    else if (this.#now - this.#start >= this.#options.maxSegmentFrames) this.#cut(this.#start);
    else if (this.#now >= this.#nextPartialAt) this.#showPartial(this.#start);
  }

  #take(samples: Int16Array): void {
    this.#recent.push(samples);
    this.#now += samples.length;
  }

  /** Starts at a frame that may lie back. */
  #startUtterance(frame: number): void {
    const samples = this.#recent.last(this.#now - frame);
    this.#start = this.#now - samples.length;
    this.#nextPartialAt = this.#now;
    this.#decoder.startUtterance();
    for (let at = 0; at < samples.length; at += PIECE_FRAMES) {
      this.#decoder.process(samples.subarray(at, at + PIECE_FRAMES));
    }
  }

  #endUtterance(start: number): void {
    this.#emitFinal(this.#hear(start));
    this.#start = undefined;
  }

  /** Ends an utterance in the middle of speech, after a word; what was said since is heard again. */
  #cut(start: number): void {
    const heard = this.#hear(start);
    const replay = this.#replayAfter(heard.words);
    this.#emitFinal(replay > 0 ? heardBefore(heard, this.#now - replay) : heard, true);
    this.#startUtterance(this.#now - replay);
  }

  /** Frames from the start of the last word, if that is probably unfinished. */
  #replayAfter(words: WordSequence): number {
    const last = words.at(-1);
    if (!last || words.length === 1 || this.#now - last.endFrame >= UNFINISHED_FRAMES) return 0;
    const replay = this.#now - last.startFrame;
    return replay <= Math.min(KEPT_FRAMES, this.#options.maxSegmentFrames / 2) ? replay : 0;
  }

  #hear(start: number): Heard {
    const { alternatives } = this.#options;
    const words = this.#decoder.endUtterance();
    const others = alternatives > 0 ? this.#decoder.alternatives(alternatives) : [];
    return { words: moved(words, start), alternatives: others.map(other => moved(other, start)) };
  }

  #showPartial(start: number): void {
    this.#nextPartialAt = this.#now + PARTIAL_EVERY_FRAMES;
    this.#show(moved(this.#decoder.hypothesis(), start));
  }

  #show(words: WordSequence): void {
    const text = textOf(words);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#options.emit(resultOf('partial', words, this.#now));
  }

  #emitFinal({ words, alternatives }: Heard, cut = false): void {
    if (words.length > 0) {
      this.#shown = '';
      const final = resultOf('final', words, this.#now);
      const others = this.#options.alternatives > 0 && { alternatives };
      this.#options.emit({ ...final, ...(cut && { cut }), ...others });
    } else {
      this.#show([]);
    }
  }
}

/** What was heard before the word that is left to the next utterance. */
function heardBefore({ words, alternatives }: Heard, frame: number): Heard {
  const before = (sequence: WordSequence) => sequence.filter(word => word.startFrame < frame);
  const best = before(words);
  const others = new Map(alternatives.map(before).map(other => [textOf(other), other]));
  others.delete(textOf(best));
  return { words: best, alternatives: [...others.values()] };
}

function moved(words: WordSequence, frames: number): WordSequence {
  return words.map(word => ({
    ...word,
    startFrame: word.startFrame + frames,
    endFrame: word.endFrame + frames,
  }));
}

function resultOf(type: 'partial' | 'final', words: WordSequence, now: number): RecognizerResult {
  return {
    type,
    startFrame: words[0]?.startFrame ?? now,
    endFrame: words.at(-1)?.endFrame ?? now,
    words,
  };
}
