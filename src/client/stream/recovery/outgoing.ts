import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import type { Chunk } from '../../spool/chunk.ts';
import type { ReplayStore } from '../../spool/replayStore.ts';
import { MAX_CHUNK_BYTES } from '../blockGuard.ts';
import { Pacer, type PacerOptions } from './pacer.ts';
import type { SourceGaps } from './sourceGaps.ts';

export interface OutgoingOptions extends Omit<PacerOptions, 'sampleRate'> {
  readonly format: PcmFormat;
  readonly store: Pick<ReplayStore, 'headFrame' | 'read'>;
  readonly gaps: SourceGaps;
}

/** The audio of a store on its way out: in chunks that a service takes, and no faster than it should. */
export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #maxFrames: number;
  readonly #pacer: Pacer;

  constructor(options: OutgoingOptions) {
    const { format } = options;
    this.#options = options;
    this.#maxFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
    this.#pacer = new Pacer({ ...options, sampleRate: format.sampleRate });
  }

  /** How much audio there is from a frame on. */
  framesFrom(frame: number): number {
    const { gaps, store } = this.#options;
    return gaps.audioFrames(frame, store.headFrame);
  }

  /** The range that may be sent now: from a frame on, one frame or a maximum number of bytes. */
  next(frame: number, maxBytes: number): Chunk | undefined {
    const frames = Math.max(1, Math.floor(maxBytes / bytesPerFrame(this.#options.format)));
    const allowed = this.#pacer.allow(this.framesFrom(frame), Math.min(frames, this.#maxFrames));
    return allowed > 0 ? this.#options.store.read(frame, allowed) : undefined;
  }

  /** The connection is gone: what comes of a backlog begins anew. */
  stop(): void {
    this.#pacer.stop();
  }
}
