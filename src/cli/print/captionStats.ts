import type { AudioLevel } from '../../audio/level.ts';
import type { SourceStatus } from '../../audio/source/reconnecting.ts';
import type { RoomFigures } from '../../captions/control/operatorMessage.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { wordTokensOf } from '../../transcript/text/tokens.ts';

/** Figures of a source that is captioned. */
export interface CaptionFigures extends Omit<RoomFigures, 'messages'> {
  /** Words of final text. */
  readonly words: number;
  /** Words of the latest partial; 0 after its final. */
  readonly wordsInProgress: number;
  /** Number of lost connections. */
  readonly reconnects: number;
  /** Share of the audio so far that has text or is silent, from 0 to 1. */
  readonly coverage: number;
}

/** Blocks of 100 ms whose largest peak is the level. */
const PEAK_BLOCKS = 10;
/** The level of silence, in dB. */
const SILENT_DB = -100;

/** Counts the figures of a source. */
export class CaptionStats {
  #words = 0;
  #wordsInProgress = 0;
  #reconnects = 0;
  #missingSeconds = 0;
  #connection: 'starting' | 'connected' | 'lost' = 'starting';
  #service: RoomFigures['service'];
  #lastWordTs: number | undefined;
  #hasAudio = true;
  #isSilent = false;
  #microphone: RoomFigures['microphone'];
  #hasFailed = false;
  #peaks: readonly number[] = [];
  readonly #audioClock: { readonly nowTs: number };

  /**
   * @param audioClock position of the latest audio
   * @param options with a standby, the figures name the service that recognises
   */
  constructor(audioClock: { readonly nowTs: number }, { hasStandby = false } = {}) {
    this.#audioClock = audioClock;
    if (hasStandby) this.#service = 'first';
  }

  event(event: LiveEvent): void {
    if (event.type !== 'final' && event.type !== 'partial') return;
    const words = wordTokensOf(event.elements).length;
    if (words > 0) this.#lastWordTs = event.endTs;
    if (event.type === 'final') this.#words += words;
    this.#wordsInProgress = event.type === 'final' ? 0 : words;
  }

  status(status: StreamStatus): void {
    const { type } = status;
    if (type === 'connected') this.#connection = 'connected';
    if (type === 'switched') this.#service = status.to;
    if (type !== 'reconnecting' && type !== 'fallback' && type !== 'failed') return;
    if (this.#connection === 'connected') this.#reconnects++;
    this.#connection = 'lost';
  }

  source({ type, name, isOther }: SourceStatus): void {
    if (isOther !== undefined) this.#microphone = { name, isOther };
    if (type === 'lost' || type === 'waiting') this.#hasAudio = false;
    if (type === 'back') this.#hasAudio = true;
    this.#isSilent = type === 'silent';
  }

  /** Notes that the source has ended with an error. */
  fail(): void {
    this.#hasFailed = true;
  }

  level({ peakDb }: AudioLevel): void {
    this.#peaks = [...this.#peaks.slice(1 - PEAK_BLOCKS), peakDb];
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
      wordsInProgress: this.#wordsInProgress,
      reconnects: this.#reconnects,
      coverage: nowTs === 0 ? 1 : Math.max(0, 1 - this.#missingSeconds / nowTs),
      audioSeconds: nowTs,
      peakDb: this.#peaks.length === 0 ? undefined : Math.max(SILENT_DB, ...this.#peaks),
      sinceWordSeconds: this.#lastWordTs === undefined ? undefined : Math.max(0, nowTs - this.#lastWordTs),
      microphone: this.#microphone,
      isConnected: this.#connection === 'connected',
      service: this.#service,
      problem: this.#problem(),
    };
  }

  #problem(): RoomFigures['problem'] {
    if (this.#hasFailed) return 'failed';
    if (!this.#hasAudio) return 'no audio';
    if (this.#isSilent) return 'digital silence';
    if (this.#connection === 'connected') return undefined;
    return this.#connection === 'starting' ? 'starting' : 'no service';
  }
}
