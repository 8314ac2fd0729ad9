import { createId } from '../../../base/ids.ts';
import {
  emptyPageText,
  MAX_VIEWER_DELAY_SECONDS,
  nextPageText,
  type PageChange,
  type PageText,
  type PageUpdate,
} from './pageText.ts';

/** An update as it is sent, one buffer for all viewers. */
interface LoggedUpdate {
  readonly number: number;
  readonly update: PageUpdate;
  readonly bytes: Buffer;
}

/** Limits of the log; what exceeds them becomes part of the text before it. */
const LIMITS = { ageMs: MAX_VIEWER_DELAY_SECONDS * 1000, updates: 1500, bytes: 500_000 } as const;

/** Milliseconds by which the log may exceed its age, so that the text before it changes rarely. */
const SLACK_MS = 10_000;

/** Milliseconds for which the text for new viewers is used again, so that a thousand viewers share few buffers. */
const SHARED_MS = 1000;

/**
 * The text of a page as an older text and the updates of the last minute. A new viewer gets both, so that a viewer's own delay
 * holds from the start; a viewer who connects again gets the missed updates only.
 */
export class PageLog {
  /** Identity of the log in the ids of its updates: a restarted server has another one. */
  readonly #epoch = createId(8);
  #before: PageText = emptyPageText;
  #updates: readonly LoggedUpdate[] = [];
  #bytes = 0;
  #number = 0;
  #shared: { readonly number: number; readonly at: number; readonly bytes: Buffer } | undefined;

  /** Number of the last update. */
  get number(): number {
    return this.#number;
  }

  /** Adds an update, and returns it as it is sent. */
  add(at: number, changes: readonly PageChange[]): Buffer {
    const update = { at: Math.round(at), changes };
    const number = ++this.#number;
    const bytes = eventBytes('change', update, `${this.#epoch}:${number}`);
    this.#updates = [...this.#updates, { number, update, bytes }];
    this.#bytes += bytes.length;
    this.#trim(at);
    return bytes;
  }

  /** Removes all text, and returns the update that removes it from the pages; earlier updates are no longer sent. */
  off(at: number): Buffer {
    const bytes = this.add(at, [{ type: 'off' }]);
    this.#moveToText(this.#updates.length);
    this.#shared = undefined;
    return bytes;
  }

  /** Returns the messages for a viewer without any text. */
  all(at: number): readonly Buffer[] {
    const shared = this.#shared;
    if (shared && at - shared.at < SHARED_MS) {
      const missed = this.since(shared.number);
      if (missed) return [shared.bytes, ...missed];
    }
    this.#trim(at);
    // The id is that of the last update before the log, from which a connection cut half-way continues.
    const id = `${this.#epoch}:${this.#number - this.#updates.length}`;
    const messages = [eventBytes('text', this.#before, id), ...this.#updates.map(({ bytes }) => bytes)];
    const bytes = Buffer.concat(messages);
    this.#shared = { number: this.#number, at, bytes };
    return [bytes];
  }

  /** Returns the updates after a number; undefined when the log no longer has them all. */
  since(number: number): readonly Buffer[] | undefined {
    const missed = this.#number - number;
    if (missed < 0 || missed > this.#updates.length) return undefined;
    return missed === 0 ? [] : [Buffer.concat(this.#updates.slice(-missed).map(({ bytes }) => bytes))];
  }

  /** Returns the number of an update by the id that a viewer got with it; undefined for one of another server. */
  numberOf(id: string): number | undefined {
    const [epoch, number] = id.split(':');
    return epoch === this.#epoch && /^\d{1,15}$/.test(number ?? '') ? Number(number) : undefined;
  }

  #trim(at: number): void {
    const oldest = this.#updates[0];
    if (!oldest) return;
    const isFull = this.#updates.length > LIMITS.updates || this.#bytes > LIMITS.bytes;
    if (!isFull && at - oldest.update.at <= LIMITS.ageMs + SLACK_MS) return;
    const kept = this.#updates.findIndex(({ update }) => at - update.at <= LIMITS.ageMs);
    const old = kept < 0 ? this.#updates.length : kept;
    this.#moveToText(isFull ? Math.max(old, Math.ceil(this.#updates.length / 4)) : old);
  }

  #moveToText(count: number): void {
    for (const { update, bytes } of this.#updates.slice(0, count)) {
      this.#before = update.changes.reduce(nextPageText, this.#before);
      this.#bytes -= bytes.length;
    }
    this.#updates = this.#updates.slice(count);
  }
}

/** Returns a server-sent event. */
export function eventBytes(event: string, data: unknown, id?: string): Buffer {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    `event: ${event}`,
    `data: ${JSON.stringify(data)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
