import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import { EVENT_STREAM_HEADERS } from '../../../web/pageFiles.ts';
import type { CaptionStep, RetractStep } from '../../captionStep.ts';
import type { CaptionOutput, OutputReport } from '../captionOutput.ts';
import { initialPageWriter, pageChanges } from './pageChanges.ts';
import { eventBytes, PageLog } from './pageLog.ts';
import { type PageChange, type PageHello, PING_MS } from './pageText.ts';

/** Minimum number of milliseconds from one update to the next; a burst of steps is one update. */
const INTERVAL_MS = 50;

/** Milliseconds after which a viewer whose full connection takes nothing is disconnected. */
const STALLED_MS = 10_000;

export interface ViewerOptions {
  /** Id of the last update received; empty for a new viewer. */
  readonly lastId: string;
  /** Returns the id of the next ping. */
  readonly ping: () => string;
}

interface Viewer {
  readonly response: ServerResponse;
  readonly ping: () => string;
  cancelPing: () => void;
  /** Number of the last update that was written. */
  number: number;
  /** True while the connection takes no more; nothing is written meanwhile. */
  isFull: boolean;
}

/** Captions of one address of the page, and its viewers. */
export class PageTrack implements CaptionOutput {
  readonly name: string;
  readonly #clock: Clock;
  readonly #log = new PageLog();
  readonly #viewers = new Set<Viewer>();
  readonly #counts = { shown: 0, skipped: 0, failures: 0 };
  #writer = initialPageWriter;
  #waiting: PageChange[] = [];
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancelUpdate: (() => void) | undefined;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  take(step: CaptionStep): void {
    const { state, changes } = pageChanges(this.#writer, step);
    this.#writer = state;
    if (step.type === 'off') this.#off();
    else if (changes.length > 0) this.#update(changes);
  }

  retract(step: RetractStep): boolean {
    this.take(step);
    return true;
  }

  report(): OutputReport {
    return { ...this.#counts };
  }

  /** Sends pending updates. Viewers stay connected until the page is closed. */
  async close(): Promise<void> {
    this.#cancelUpdate?.();
    this.#send();
  }

  /** Disconnects all viewers. */
  end(): void {
    this.#cancelUpdate?.();
    for (const { response, cancelPing } of this.#viewers) {
      cancelPing();
      response.end();
    }
  }

  /**
   * Adds a viewer, who gets all text or, with the id of the last update received, the missed updates.
   */
  addViewer(response: ServerResponse, hello: Omit<PageHello, 'now'>, { lastId, ping }: ViewerOptions): void {
    const viewer: Viewer = { response, ping, cancelPing() {}, number: this.#log.number, isFull: false };
    // No other request follows on the connection.
    response.shouldKeepAlive = false;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    // The system notices a viewer who left the network without closing the connection.
    response.socket?.setKeepAlive(true, PING_MS);
    response.socket?.setNoDelay(true);
    this.#viewers.add(viewer);
    response.on('close', () => {
      viewer.cancelPing();
      this.#viewers.delete(viewer);
    });
    response.on('timeout', () => {
      this.#counts.failures++;
      response.destroy();
    });
    const number = this.#log.numberOf(lastId);
    const now = this.#clock.now();
    const missed = number === undefined ? undefined : this.#log.since(number);
    this.#write(viewer, [
      eventBytes('hello', { ...hello, now: Math.round(now) }),
      // Before the text, which a page may take a while to show.
      eventBytes('ping', ping()),
      ...(missed ?? this.#log.all(now)),
    ]);
    // Viewers that came at once answer apart.
    this.#schedulePing(viewer, PING_MS * Math.random());
  }

  #update(changes: readonly PageChange[]): void {
    this.#waiting.push(...changes);
    if (this.#cancelUpdate) return;
    const waitMs = this.#sentAt + INTERVAL_MS - this.#clock.now();
    if (waitMs <= 0) this.#send();
    else this.#cancelUpdate = this.#clock.schedule(waitMs, () => this.#send());
  }

  #send(): void {
    this.#cancelUpdate = undefined;
    if (this.#waiting.length === 0) return;
    this.#sentAt = this.#clock.now();
    const bytes = this.#log.add(this.#sentAt, this.#waiting);
    this.#waiting = [];
    this.#publish(bytes);
  }

  #publish(bytes: Buffer): void {
    this.#counts.shown++;
    for (const viewer of this.#viewers) {
      if (!viewer.isFull) this.#write(viewer, [bytes]);
      else this.#counts.skipped++;
    }
  }

  #off(): void {
    this.#cancelUpdate?.();
    this.#cancelUpdate = undefined;
    this.#waiting = [];
    const bytes = this.#log.off(this.#clock.now());
    // Text that waits in the buffer of a full connection cannot be taken back, and would be read after the removal.
    for (const viewer of this.#viewers) {
      if (viewer.isFull) viewer.response.destroy();
    }
    this.#publish(bytes);
  }

  /** Writes messages after which a viewer has all text. A full connection gets what it missed when it is empty again. */
  #write(viewer: Viewer, messages: readonly Buffer[]): void {
    const { response } = viewer;
    let hasRoom = true;
    // Without cork(): a corked response reports a full buffer and then, when the system takes it all, no 'drain'.
    for (const message of messages) hasRoom = response.write(message);
    viewer.number = this.#log.number;
    if (hasRoom) return;
    viewer.isFull = true;
    // The timeout is the socket's, which knows how much of a long text the network has taken.
    response.socket?.setTimeout(STALLED_MS);
    response.once('drain', () => {
      viewer.isFull = false;
      response.socket?.setTimeout(0);
      const missed = this.#log.since(viewer.number) ?? this.#log.all(this.#clock.now());
      if (missed.length > 0) this.#write(viewer, missed);
    });
  }

  #schedulePing(viewer: Viewer, delayMs: number): void {
    viewer.cancelPing = this.#clock.schedule(delayMs, () => {
      this.#schedulePing(viewer, PING_MS);
      if (!viewer.isFull) this.#write(viewer, [eventBytes('ping', viewer.ping())]);
    });
  }
}
