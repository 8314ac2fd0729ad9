import { setImmediate } from 'node:timers/promises';
import { QueuedSession } from '../queuedSession.ts';
import type { RecognizedWord, RecognizerResult } from '../recognizer.ts';
import { createSpeechSpans, type SpeechSpan, type SpeechSpans } from '../voice/speechSpans.ts';
import type { VoiceDetector } from '../voice/voiceDetector.ts';
import type { SessionKind } from '../workMeter.ts';
import type { DecodedUtterance, DecodeRequest } from './child.ts';
import { KNOWN_FRAMES, knownBefore, wordsBefore } from './continued.ts';
import type { DecodedWord } from './decodedWords.ts';
import type { DecoderPool, PhraseList } from './decoderPool.ts';
import type { KnownSpeech } from './decodeUtterance.ts';
import { Joints } from './joints.ts';
import { LiveUtterance, movedWords } from './liveUtterance.ts';
import { LEAD_FRAMES } from './model.ts';

const SAMPLE_RATE = 16_000;
/** Audio that is processed before the event loop gets a turn. */
const PIECE_FRAMES = 0.25 * SAMPLE_RATE;
/** Lead over the clock above which audio comes from a file; delayed live audio leads by less. */
const MAX_EARLY_MS = 2000;

export interface MoonshineSessionOptions {
  readonly pool: DecoderPool;
  /** Disposed of with the session. */
  readonly detector: VoiceDetector;
  readonly pauseSeconds: number;
  readonly maxSegmentFrames: number;
  readonly phrases?: PhraseList;
  /** A recording has no partials and a lower priority than streams. */
  readonly kind: SessionKind;
  /** Utterances that may wait for decoding before `write()` waits. */
  readonly maxWaiting: number;
  /** True when results include the model's writing. */
  readonly writes: boolean;
  /** True when finals are decoded by the quick model too. */
  readonly isQuick: boolean;
  readonly signal?: AbortSignal;
  /** Called once, at the end of the session. */
  readonly onClose: () => void;
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

/** A session that cuts its audio into utterances, which a pool decodes. */
export class MoonshineSession extends QueuedSession {
  readonly #options: MoonshineSessionOptions;
  readonly isQuick: boolean;
  readonly #spans: SpeechSpans;
  #live: LiveUtterance | undefined;
  #stopSpeaking = () => {};
  /** True when a partial has words that no final has replaced. */
  #isShown = false;
  /** Resolves when all finals so far are emitted; keeps them in order. */
  #finals: Promise<void> = Promise.resolve();
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
    this.#spans = createSpeechSpans(options.detector, {
      pauseSeconds: options.pauseSeconds,
      maxFrames: options.maxSegmentFrames,
      onSpan: span => this.#onSpan(span),
      onPause: span => this.#live?.pause(span),
    });
    if (options.kind === 'recording' && options.writes) {
      const decode = async (samples: Int16Array) => {
        const { words } = await this.#request({ samples, start: 0, isPartial: true, isQuick: false });
        return words;
      };
      this.#joints = new Joints({ audio: this.#spans.audio, decode });
    }
  }

  protected async take(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += PIECE_FRAMES) {
      if (at > 0) await setImmediate();
      if (this.over) return;
      this.#spans.write(samples.subarray(at, at + PIECE_FRAMES));
      if (this.#spans.startFrame === undefined && this.awaited.count === 0) this.#countAudio(this.#spans.now);
      this.#updateLive();
      if (this.#isEarly) await this.#live?.catchUp();
      if (this.awaited.count >= this.#options.maxWaiting) await this.room();
    }
  }

  protected endUtterance(): Promise<void> {
    this.#spans.flush();
    return this.#settle();
  }

  protected endAudio(): Promise<void> {
    this.#spans.finish();
    return this.#settle();
  }

  protected async release(): Promise<void> {
    this.#dropLive();
    this.#spans[Symbol.dispose]();
    this.#joints?.end();
    this.#options.onClose();
  }

  /** Resolves when all finals are emitted; no utterance is in progress. */
  async #settle(): Promise<void> {
    this.#dropLive();
    this.#joints?.end();
    await this.#finals;
    if (this.over) return;
    this.#takeBack();
    this.#countAudio(this.#spans.now);
  }

  /** Counts the audio up to a frame, whose recognition is done. */
  #countAudio(frame: number): void {
    const { pool, kind } = this.#options;
    pool.meter.hear(kind, Math.max(0, frame - this.#countedFrame) / SAMPLE_RATE);
    this.#countedFrame = Math.max(frame, this.#countedFrame);
  }

  /** True when audio comes faster than real time. */
  get #isEarly(): boolean {
    return this.awaited.spokenMs(this.#spans.now) > performance.now() + MAX_EARLY_MS;
  }

  #updateLive(): void {
    const { kind, pool } = this.#options;
    if (kind === 'recording') return;
    const { startFrame } = this.#spans;
    if (startFrame !== this.#live?.startFrame) this.#dropLive();
    if (startFrame === undefined) {
      // After a cut, no speech followed.
      if (this.awaited.count === 0) this.#takeBack();
      return;
    }
    if (!this.#live) {
      const onWords = (words: readonly DecodedWord[]) => this.#showPartial(words);
      const place = { spans: this.#spans, startFrame, ...this.#before(startFrame) };
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

  #onSpan(span: SpeechSpan): void {
    const early = this.#live?.startFrame === span.startFrame ? this.#live.end(span) : undefined;
    this.#dropLive();
    const { known, leadFrame } = this.#before(span.startFrame);
    const from = known === undefined ? leadFrame : Math.max(0, span.startFrame - KNOWN_FRAMES);
    this.#spanEnd = span.endFrame;
    // What a stream has said since a cut shows how the sentence goes on there.
    const goesOn = span.cut && this.#options.kind === 'stream';
    const until = goesOn ? this.#spans.now : span.endFrame;
    // Copied now, because the stream continues.
    const samples = this.#spans.audio(from, until);
    const decoded = this.#decode(span, { samples, from, early, known }).then(answer =>
      goesOn ? { ...answer, words: wordsBefore(span.endFrame, answer.words) } : answer,
    );
    const words = decoded.then(({ words }) => words);
    this.#known = goesOn
      ? words.then(before => knownBefore(span.endFrame, before)).catch(() => undefined)
      : undefined;
    const decoding = this.#joints?.add({ ...span, samples, from, words }) ?? words;
    decoding.catch(() => {});
    this.awaited.add(span.endFrame);
    this.#finals = this.#finals.then(async () => {
      try {
        this.#showFinal(span, { ...(await decoded), words: await decoding });
      } catch (error) {
        this.fail(error);
      } finally {
        this.awaited.shift();
        this.#countAudio(span.endFrame);
        this.onRoom();
      }
    });
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
    if (this.over || this.awaited.count > 0) return;
    this.#isShown = true;
    this.results.next(this.#resultOf('partial', decoded));
  }

  #showFinal({ startFrame, endFrame, cut }: SpeechSpan, { words, isInaudible }: Decoded): void {
    if (this.over) return;
    if (words.length === 0 && !isInaudible) {
      this.#takeBack();
      return;
    }
    const inaudible = { type: 'final', startFrame, endFrame, words } as const;
    const result = words.length > 0 ? this.#resultOf('final', words) : inaudible;
    this.#isShown = false;
    this.#finalEnd = result.endFrame;
    this.results.next({ ...result, ...(cut && { cut }) });
  }

  #takeBack(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    const { now } = this.#spans;
    this.results.next({ type: 'partial', startFrame: now, endFrame: now, words: [] });
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
