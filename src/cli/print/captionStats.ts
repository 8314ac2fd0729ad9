import type { AudioLevel } from '../../audio/level.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { wordTokensOf } from '../../transcript/text/tokens.ts';

/** Figures of a source that is captioned. */
export interface CaptionFigures {
  /** Words of final text. */
  readonly words: number;
  /** Number of lost connections. */
  readonly reconnects: number;
  /** Share of the audio so far that has text or is silent, from 0 to 1. */
  readonly coverage: number;
  /** Seconds of audio so far. */
  readonly audioSeconds: number;
  readonly isConnected: boolean;
  /** Reason why there are no captions now. */
  readonly problem?: string;
  readonly level?: AudioLevel;
}

/** Counts the figures of a source. */
export class CaptionStats {
  #words = 0;
  #reconnects = 0;
  #missingSeconds = 0;
  #isConnected = false;
  #hasAudio = true;
  #hasFailed = false;
  #level: AudioLevel | undefined;
  readonly #audioClock: { readonly nowTs: number };

  /** @param audioClock position of the latest audio */
  constructor(audioClock: { readonly nowTs: number }) {
    this.#audioClock = audioClock;
  }

  event(event: LiveEvent): void {
    if (event.type === 'final') this.#words += wordTokensOf(event.elements).length;
  }

  status({ type }: StreamStatus): void {
    if (type === 'connected') this.#isConnected = true;
    if (type !== 'reconnecting' && type !== 'fallback' && type !== 'failed') return;
    if (this.#isConnected) this.#reconnects++;
    this.#isConnected = false;
  }

  source({ type }: SourceStatus): void {
    if (type === 'lost' || type === 'waiting') this.#hasAudio = false;
    if (type === 'back') this.#hasAudio = true;
  }

  /** Notes that the source has ended with an error. */
  fail(): void {
    this.#hasFailed = true;
  }

  level(level: AudioLevel): void {
    this.#level = level;
  }

  transcript({ coverage = [] }: Transcript): void {
    this.#missingSeconds = coverage
      .filter(({ kind }) => kind === 'hole' || kind === 'inaudible')
      .reduce((sum, { ts, endTs }) => sum + endTs - ts, 0);
  }

  get figures(): CaptionFigures {
    const { nowTs } = this.#audioClock;
    return {
      words: this.#words,
      reconnects: this.#reconnects,
      coverage: nowTs === 0 ? 1 : Math.max(0, 1 - this.#missingSeconds / nowTs),
      audioSeconds: nowTs,
      isConnected: this.#isConnected,
      problem: this.#problem(),
      level: this.#level,
    };
  }

  #problem(): string | undefined {
    if (this.#hasFailed) return 'failed';
    if (!this.#hasAudio) return 'no audio';
    return this.#isConnected ? undefined : 'no service';
  }
}
