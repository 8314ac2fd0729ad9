import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { UtteranceSession, type UtteranceSessionOptions } from '../utteranceSession.ts';
import type { SpeechSpan } from '../voice/speechSpans.ts';
import type { DecodedUtterance, DecodeRequest } from './child.ts';
import { KNOWN_FRAMES, knownBefore, wordsBefore } from './continued.ts';
import type { DecodedWord } from './decodedWords.ts';
import type { DecoderPool, PhraseList } from './decoderPool.ts';
import type { KnownSpeech } from './decodeUtterance.ts';
import { Joints } from './joints.ts';
import { LiveUtterance, movedWords } from './liveUtterance.ts';
import { LEAD_FRAMES } from './model.ts';

const SAMPLE_RATE = 16_000;
/** Lead over the clock above which audio comes from a file; delayed live audio leads by less. */
const MAX_EARLY_MS = 2000;

export interface MoonshineSessionOptions extends UtteranceSessionOptions {
  readonly pool: DecoderPool;
  readonly phrases?: PhraseList;
  /** True when results include the model's writing. */
  readonly writes: boolean;
  /** True when finals are decoded by the quick model too. */
  readonly isQuick: boolean;
}

/** The audio of an utterance. */
interface Heard {
  readonly samples: Int16Array;
  /** First frame of `samples`, in frames of the stream. */
  readonly from: number;
  /** Result of the utterance during its last pause. */
  readonly early: ReturnType<LiveUtterance['end']> | undefined;
  /** Speech before the utterance, when that continues a cut one. */
  readonly known: Promise<KnownSpeech | undefined> | undefined;
}

type Decoded = Pick<DecodedUtterance, 'words' | 'isInaudible'>;

/** A session whose utterances a pool decodes. */
export class MoonshineSession extends UtteranceSession {
  readonly #options: MoonshineSessionOptions;
  readonly isQuick: boolean;
  #live: LiveUtterance | undefined;
  #stopSpeaking = () => {};
  /** End of the last utterance: earlier audio is not part of the next one. */
  #spanEnd = 0;
  /** Speech before the utterance in progress, which continues a cut one. */
  #known: Promise<KnownSpeech | undefined> | undefined;
  /** End of the audio that is counted as recognised. */
  #countedFrame = 0;
  /** End of the last final. */
  #finalEnd = 0;
  readonly #joints: Joints | undefined;

  constructor(options: MoonshineSessionOptions) {
    super(options);
    this.#options = options;
    this.isQuick = options.isQuick;
    if (options.kind === 'recording' && options.writes) {
      const decode = async (samples: Int16Array) => {
        const { words } = await this.#request({ samples, start: 0, isPartial: true, isQuick: false });
        return words;
      };
      this.#joints = new Joints({ audio: this.spans.audio, decode });
    }
  }

  protected async onPiece(): Promise<void> {
    if (this.spans.startFrame === undefined && this.awaited.count === 0) this.#countAudio(this.spans.now);
    this.#updateLive();
    if (this.#isEarly) await this.#live?.catchUp();
  }

  protected override onPause(span: SpeechSpan): void {
    this.#live?.pause(span);
  }

  protected override async settle(): Promise<void> {
    this.#dropLive();
    this.#joints?.end();
    await super.settle();
    if (!this.over) this.#countAudio(this.spans.now);
  }

  protected override async release(): Promise<void> {
    this.#dropLive();
    this.#joints?.end();
    await super.release();
  }

  /** Counts the audio up to a frame, whose recognition is done. */
  #countAudio(frame: number): void {
    const { pool, kind } = this.#options;
    pool.meter.hear(kind, Math.max(0, frame - this.#countedFrame) / SAMPLE_RATE);
    this.#countedFrame = Math.max(frame, this.#countedFrame);
  }

  /** True when audio comes faster than real time. */
  get #isEarly(): boolean {
    return this.awaited.spokenMs(this.spans.now) > performance.now() + MAX_EARLY_MS;
  }

  #updateLive(): void {
    const { kind, pool } = this.#options;
    if (kind === 'recording') return;
    const { startFrame } = this.spans;
    if (startFrame !== this.#live?.startFrame) this.#dropLive();
    if (startFrame === undefined) {
      // After a cut, no speech followed.
      if (this.awaited.count === 0) this.takeBack();
      return;
    }
    if (!this.#live) {
      const onWords = (words: readonly DecodedWord[]) => this.#showPartial(words);
      const place = { spans: this.spans, startFrame, ...this.#before(startFrame) };
      this.#live = new LiveUtterance({ ...this.#options, ...place, onWords });
      this.#stopSpeaking = pool.speak();
    }
    this.#live.update();
  }

  /** Returns the known speech before an utterance, and the first frame of audio that belongs to no other one. */
  #before(startFrame: number) {
    const known = startFrame === this.#spanEnd ? this.#known : undefined;
    return { known, leadFrame: Math.max(this.#spanEnd, startFrame - LEAD_FRAMES) };
  }

  #dropLive(): void {
    this.#live?.drop();
    this.#live = undefined;
    this.#stopSpeaking();
    this.#stopSpeaking = () => {};
  }

  protected recognize(span: SpeechSpan): () => Promise<RecognizerResult | undefined> {
    const early = this.#live?.startFrame === span.startFrame ? this.#live.end(span) : undefined;
    this.#dropLive();
    const { known, leadFrame } = this.#before(span.startFrame);
    const from = known === undefined ? leadFrame : Math.max(0, span.startFrame - KNOWN_FRAMES);
    this.#spanEnd = span.endFrame;
    // What a stream has said since a cut shows how the sentence goes on there.
    const goesOn = span.cut && this.#options.kind === 'stream';
    const until = goesOn ? this.spans.now : span.endFrame;
    // Copied now, because the stream continues.
    const samples = this.spans.audio(from, until);
    const decoded = this.#decode(span, { samples, from, early, known }).then(answer =>
      goesOn ? { ...answer, words: wordsBefore(span.endFrame, answer.words) } : answer,
    );
    const words = decoded.then(({ words }) => words);
    this.#known = goesOn
      ? words.then(before => knownBefore(span.endFrame, before)).catch(() => undefined)
      : undefined;
    const decoding = this.#joints?.add({ ...span, samples, from, words }) ?? words;
    decoding.catch(() => {});
    return async () => {
      try {
        return this.#finalOf(span, { ...(await decoded), words: await decoding });
      } finally {
        this.#countAudio(span.endFrame);
      }
    };
  }

  async #decode({ startFrame }: SpeechSpan, { samples, from, early, ...heard }: Heard) {
    const found = await early;
    if (found) return found;
    const before = await heard.known;
    const known = before && { ...before, from: before.from - from };
    const place = { start: startFrame - from, known };
    const answer = await this.#request({ samples, ...place, isPartial: false, isQuick: this.isQuick });
    return { ...answer, words: movedWords(answer.words, from) };
  }

  async #request(request: DecodeRequest): Promise<Decoded> {
    const answer = await this.#options.pool.decode({
      priority: this.#options.kind === 'stream' ? 'final' : 'recording',
      phrases: this.#options.phrases,
      request: () => (this.over ? undefined : request),
    });
    return answer ?? { words: [], isInaudible: false };
  }

  #showPartial(decoded: readonly DecodedWord[]): void {
    // Partials cover only speech after the last final.
    if (!this.over && this.awaited.count === 0) this.show(this.#resultOf('partial', decoded));
  }

  #finalOf({ startFrame, endFrame }: SpeechSpan, { words, isInaudible }: Decoded) {
    if (words.length === 0 && !isInaudible) return undefined;
    const inaudible = { type: 'final', startFrame, endFrame, words } as const;
    const result = words.length > 0 ? this.#resultOf('final', words) : inaudible;
    this.#finalEnd = result.endFrame;
    return result;
  }

  /** Returns a result whose words begin after the last final. */
  #resultOf(type: 'partial' | 'final', decoded: readonly DecodedWord[]): RecognizerResult {
    let ended = this.#finalEnd;
    const words = decoded.map(({ value, written, confidence, ...word }): RecognizedWord => {
      const startFrame = Math.max(word.startFrame, ended);
      const endFrame = Math.max(word.endFrame, startFrame + 1);
      ended = endFrame;
      return { value, startFrame, endFrame, confidence, ...(this.#options.writes && { written }) };
    });
    return { type, startFrame: words[0]!.startFrame, endFrame: words.at(-1)!.endFrame, words };
  }
}
