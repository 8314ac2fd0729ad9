import { fullJitterMs } from '../../base/backoff.ts';
import {
  emptyPageText,
  nextPageText,
  type PageHello,
  type PageText,
  type PageUpdate,
  PING_MS,
} from '../../captions/outputs/page/pageText.ts';

export interface FeedOptions {
  /** Address of the events. */
  readonly url: URL;
  /** Seconds by which changes are shown later. */
  readonly delaySeconds: number;
  /** Called with each text; `isNew` is false for text from before the page was opened. */
  readonly onText: (text: PageText, isNew: boolean) => void;
  readonly onHello?: (hello: PageHello) => void;
  /** Called when the connection is lost, and when it is restored. */
  readonly onConnected?: (isConnected: boolean) => void;
}

/** Milliseconds of silence after which a connection counts as lost: the server sends more often. */
const SILENT_MS = 2.5 * PING_MS;
/** Waits between attempts, with a minimum that spares a server that refuses. */
const BACKOFF = { baseMs: 1000, capMs: 10_000, leastMs: 200 } as const;
/** Milliseconds from check to check of the connection. */
const CHECK_MS = 2000;

/** Connects to the events of a page, again and again whenever the connection is lost. */
export class Feed {
  readonly #options: FeedOptions;
  #source: EventSource | undefined;
  /** Id of the last event of the current server. */
  #lastId = '';
  #text: PageText = emptyPageText;
  /** Updates that wait for the viewer's delay. */
  #waiting: readonly PageUpdate[] = [];
  #delayMs: number;
  /** Difference between this computer's clock and the server's. */
  #offsetMs = 0;
  /** Time on the server's clock of the latest connection, and that before which text is not new. */
  #connectedAt = 0;
  #newSince = 0;
  #heardAt = Date.now();
  /** Ends the request of the last ping when another one follows: a browser makes few at once. */
  #answering = new AbortController();
  #attempts = 0;
  #retryTimer: number | undefined;
  #showTimer: number | undefined;
  readonly #checkTimer: number;
  readonly #onWake = () => this.#check();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#delayMs = options.delaySeconds * 1000;
    this.#checkTimer = window.setInterval(() => this.#check(), CHECK_MS);
    document.addEventListener('visibilitychange', this.#onWake);
    window.addEventListener('online', this.#onWake);
    this.#connect();
  }

  setDelay(seconds: number): void {
    this.#delayMs = seconds * 1000;
    this.#showDue();
  }

  close(): void {
    this.#source?.close();
    clearInterval(this.#checkTimer);
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#showTimer);
    document.removeEventListener('visibilitychange', this.#onWake);
    window.removeEventListener('online', this.#onWake);
  }

  #connect(): void {
    this.#source?.close();
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#heardAt = Date.now();
    const url = new URL(this.#options.url);
    if (this.#lastId !== '') url.searchParams.set('after', this.#lastId);
    const source = new EventSource(url);
    this.#source = source;
    const on = (event: string, take: (data: unknown) => void) =>
      source.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
        this.#heardAt = Date.now();
        if (lastEventId !== '') this.#lastId = lastEventId;
        take(JSON.parse(data));
      });
    on('hello', data => this.#onHello(data as PageHello));
    on('text', data => this.#onText(data as PageText));
    on('change', data => this.#onUpdate(data as PageUpdate));
    on('ping', id => this.#answer(id as string));
    // A browser gives up a refused connection, and retries a lost one at once, as do all other viewers. Neither is wanted.
    source.addEventListener('error', () => this.#retry());
  }

  /** Shows the server that the page reads. An event starts this, as timers of a page in the background are late. */
  #answer(ping: string): void {
    this.#answering.abort();
    this.#answering = new AbortController();
    const url = new URL(this.#options.url);
    url.pathname += `/${ping}`;
    fetch(url, { cache: 'no-store', signal: this.#answering.signal }).catch(() => {});
  }

  #retry(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#options.onConnected?.(false);
    if (this.#retryTimer !== undefined) return;
    const waitMs = BACKOFF.leastMs + fullJitterMs(this.#attempts++, BACKOFF);
    this.#retryTimer = window.setTimeout(() => this.#connect(), waitMs);
  }

  /** Connects again when the connection is silent: after sleep, a connection may only appear to be open. */
  #check(): void {
    const silentMs = Date.now() - this.#heardAt;
    if (this.#source && silentMs >= SILENT_MS) {
      this.#options.onConnected?.(false);
      this.#connect();
    } else if (!this.#source && silentMs >= BACKOFF.capMs * 2) this.#connect();
  }

  #onHello(hello: PageHello): void {
    this.#attempts = 0;
    this.#connectedAt = hello.now;
    this.#offsetMs = Date.now() - hello.now;
    this.#options.onConnected?.(true);
    this.#options.onHello?.(hello);
  }

  #onText(text: PageText): void {
    this.#waiting = [];
    this.#newSince = this.#connectedAt;
    this.#show(text, false);
  }

  #onUpdate(update: PageUpdate): void {
    // Text that an operator removes disappears at once, whatever the viewer's delay.
    const isOff = update.changes.some(change => change.type === 'off');
    if (isOff) this.#waiting = [];
    if (isOff || (this.#waiting.length === 0 && this.#waitOf(update) <= 0)) {
      this.#apply([update], update.at >= this.#newSince);
    } else this.#wait([...this.#waiting, update]);
  }

  #waitOf({ at }: PageUpdate): number {
    return this.#delayMs === 0 ? 0 : at + this.#offsetMs + this.#delayMs - Date.now();
  }

  #wait(waiting: readonly PageUpdate[]): void {
    this.#waiting = waiting;
    clearTimeout(this.#showTimer);
    const [first] = waiting;
    if (first) this.#showTimer = window.setTimeout(() => this.#showDue(), this.#waitOf(first));
  }

  #showDue(): void {
    const later = this.#waiting.findIndex(update => this.#waitOf(update) > 0);
    const count = later < 0 ? this.#waiting.length : later;
    this.#apply(this.#waiting.slice(0, count), true);
    this.#wait(this.#waiting.slice(count));
  }

  #apply(updates: readonly PageUpdate[], isNew: boolean): void {
    if (updates.length === 0) return;
    this.#show(updates.flatMap(({ changes }) => changes).reduce(nextPageText, this.#text), isNew);
  }

  #show(text: PageText, isNew: boolean): void {
    this.#text = text;
    this.#options.onText(text, isNew);
  }
}
