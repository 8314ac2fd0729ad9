import { RxscribeError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { type DecoderProcess, startDecoder } from './decoderProcess.ts';
import type { PocketSphinxFiles } from './files.ts';

export interface DecoderPoolOptions {
  /** Finds what to load; asked each time, so that an installation is seen. */
  readonly locate: () => Promise<PocketSphinxFiles>;
  readonly maxSessions: number;
  /** Decoders that are loaded before they are needed. */
  readonly spareDecoders: number;
}

/**
 * Decoder processes, a bounded number of them.
 *
 * Each serves one session and is then thrown away: what it learned of one speaker's voice never meets another's, and
 * memory that the library does not give back goes with it.
 */
export class DecoderPool {
  readonly #options: DecoderPoolOptions;
  readonly #spares = new Set<DecoderProcess>();
  readonly #busy = new Set<DecoderProcess>();
  /** Sessions, those that are still opening included. */
  #sessions = 0;
  #closed = false;

  constructor(options: DecoderPoolOptions) {
    this.#options = options;
  }

  /** Loads the spare decoders, at least one, and waits for them. */
  async warm(): Promise<void> {
    await this.#addSpares(Math.max(1, this.#options.spareDecoders));
    const spares = [...this.#spares];
    for (const spare of spares) spare.hold(true);
    await Promise.all(spares.map(spare => spare.ready));
    for (const spare of spares) if (this.#spares.has(spare)) spare.hold(false);
  }

  /**
   * A decoder of one's own, ready to start. It goes back by `release()`.
   *
   * @throws RxscribeError `unavailable` when all are in use or the pool is closed, `engine-missing`, `engine-failed`; the signal's reason
   */
  async take(signal?: AbortSignal): Promise<DecoderProcess> {
    signal?.throwIfAborted();
    this.#requireOpen();
    if (this.#sessions >= this.#options.maxSessions) {
      throw new RxscribeError('unavailable', `open PocketSphinx session: all ${this.#sessions} are in use`);
    }
    this.#sessions += 1;
    try {
      const decoder = this.#takeSpare() ?? startDecoder(await this.#locate());
      this.#busy.add(decoder);
      decoder.hold(true);
      try {
        await untilAborted(decoder.ready, signal);
      } catch (error) {
        this.#busy.delete(decoder);
        await decoder.kill();
        this.#requireOpen();
        throw error;
      }
      void this.#addSpares(this.#options.spareDecoders).catch(() => {});
      return decoder;
    } catch (error) {
      this.#sessions -= 1;
      throw error;
    }
  }

  /** Ends a decoder that was taken. Idempotent. */
  async release(decoder: DecoderProcess): Promise<void> {
    await decoder.kill();
    if (this.#busy.delete(decoder)) this.#sessions -= 1;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#spares, ...this.#busy].map(decoder => decoder.kill()));
  }

  async #locate(): Promise<PocketSphinxFiles> {
    const files = await this.#options.locate();
    this.#requireOpen();
    return files;
  }

  #requireOpen(): void {
    if (!this.#closed) return;
    throw new RxscribeError('unavailable', 'open PocketSphinx session: the engine is closed');
  }

  #takeSpare(): DecoderProcess | undefined {
    for (const spare of this.#spares) {
      this.#spares.delete(spare);
      return spare;
    }
    return undefined;
  }

  async #addSpares(count: number): Promise<void> {
    const files = await this.#locate();
    while (this.#spares.size < count && this.#spares.size + this.#sessions < this.#options.maxSessions) {
      const spare = startDecoder(files);
      spare.hold(false);
      this.#spares.add(spare);
      void spare.ended.then(() => this.#spares.delete(spare));
    }
  }
}
