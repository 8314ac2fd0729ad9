import type { FinalEvent, LiveEvent, PartialEvent, TranscriptEvent } from '../../transcript/model/events.ts';
import { messageEvent, messageJson, messageText } from './cassetteLines.ts';
import type { CassetteFileLine, LineOf } from './cassetteSchema.ts';
import { eventFault, messageFault } from './messageFault.ts';

/** Seconds by which times of results may contradict each other: services align words only roughly. */
const SLACK_SECONDS = 0.05;

/** Seconds by which a result may end after the audio that was sent, as for a last block that was padded. */
const MAX_AHEAD_SECONDS = 1;

/** Results on a connection. */
interface Connection {
  readonly startTs: number;
  frames: number;
  isConnected: boolean;
  hasWords: boolean;
  lastFinal?: FinalEvent & { readonly line: number };
}

/**
 * Finds the damage of a recorded session that a replay would not notice: a missing end, missing or repeated results,
 * results in an order that no service should send, and faults of the service that the recording has kept.
 */
export class SessionDamage {
  readonly #found: string[] = [];
  readonly #connections = new Map<number, Connection>();
  #hasFailed = false;
  #hasEnd = false;
  /** Frames per second; undefined without audio. */
  #sampleRate: number | undefined;
  /** Words of partials that no final has replaced. */
  #open: { readonly ts: number; readonly endTs: number; readonly line: number } | undefined;

  /** Takes the next line, which is valid by itself. @param number of the line in the file */
  push(line: CassetteFileLine, number: number): void {
    switch (line.type) {
      case 'audio':
        this.#sampleRate = line.format.sample_rate;
        break;
      case 'connect':
        // The next connection repeats the words.
        this.#open = undefined;
        this.#connect(line);
        break;
      case 'send':
      case 'pad':
        this.#connections.get(line.connection)!.frames += line.frames;
        break;
      case 'message':
        this.#onMessage(line, number);
        break;
      case 'event':
        this.#add(number, eventFault(line.event));
        this.#follow(line.event, number);
        break;
      case 'status':
        this.#hasFailed ||= line.status.type === 'failed';
        break;
      case 'end':
        this.#hasEnd = true;
    }
  }

  /** Returns the damage for people, one text each. */
  end(): readonly string[] {
    if (this.#hasEnd && !this.#hasFailed) this.#lose();
    return this.#hasEnd ? this.#found : ['its end is missing: the recording was cut off', ...this.#found];
  }

  #add(line: number, fault: string | undefined): void {
    if (fault) this.#found.push(`line ${line}: ${fault}`);
  }

  #connect({ connection, query }: LineOf<'connect'>): void {
    const startTs = Number(query.start_ts ?? 0);
    this.#connections.set(connection, { startTs, frames: 0, isConnected: false, hasWords: false });
  }

  #onMessage(line: LineOf<'message'>, number: number): void {
    const text = messageText(line);
    const event = messageEvent(text);
    const isHeard = line.heard !== false;
    // The reader refuses faulty messages that a client is said to have heard.
    if (!isHeard) this.#add(number, messageFault(text));
    if (event) {
      this.#checkOrder(event, this.#connections.get(line.connection)!, number);
      if (isHeard) this.#follow(event, number);
    } else if (isHeard) {
      const { type, elements } = (messageJson(line) ?? {}) as { type?: unknown; elements?: unknown };
      const name = String(type).slice(0, 32);
      if (elements !== undefined) this.#add(number, `a message with words has the unknown type '${name}'`);
    }
  }

  #checkOrder(event: TranscriptEvent, on: Connection, line: number): void {
    if (event.type === 'connected') {
      if (on.isConnected) this.#add(line, 'the service sent `connected` again');
      else if (on.hasWords) this.#add(line, 'the service sent `connected` after words');
      on.isConnected = true;
      return;
    }
    on.hasWords = true;
    const { type, ts, endTs } = event;
    this.#add(line, wordsFault(event));
    const sentTs = on.startTs + on.frames / (this.#sampleRate ?? Number.NaN);
    if (endTs > sentTs + MAX_AHEAD_SECONDS)
      this.#add(line, `the ${type} ends at ${endTs} s, but the audio sent before it ends at ${sentTs} s`);
    if (ts < on.startTs - MAX_AHEAD_SECONDS)
      this.#add(line, `the ${type} starts at ${ts} s, but the audio of its connection at ${on.startTs} s`);
    const last = on.lastFinal;
    if (last && isRepeated(event, last))
      this.#add(
        line,
        `the ${type} from ${ts} to ${endTs} s is about audio that is final since line ${last.line}`,
      );
    if (type === 'final') on.lastFinal = { ...event, line };
  }

  /** Looks for utterances that have partials but no final. */
  #follow(event: LiveEvent, line: number): void {
    // The words of a final were final before, when a client has moved to another connection.
    const { ts = 0, endTs = 0 } = event.type === 'silence' ? event : {};
    const isRepeated = this.#open && ts < this.#open.endTs && endTs >= this.#open.endTs;
    if (event.type === 'final' || isRepeated) this.#open = undefined;
    else if (event.type === 'partial') {
      const hasWords = event.elements.length > 0;
      if (this.#open && hasWords && event.ts >= this.#open.endTs) this.#lose();
      this.#open = hasWords ? { ts: this.#open?.ts ?? event.ts, endTs: event.endTs, line } : undefined;
    }
  }

  #lose(): void {
    const { ts, endTs, line } = this.#open ?? {};
    if (line !== undefined) this.#add(line, `the final of the words from ${ts} to ${endTs} s is missing`);
    this.#open = undefined;
  }
}

/** Returns whether a result is about audio that has a final. */
function isRepeated({ type, ts, endTs, elements }: FinalEvent | PartialEvent, last: FinalEvent): boolean {
  if (elements.length === 0) return false;
  if (type === 'partial') return ts <= last.ts && endTs <= last.endTs;
  return ts <= last.ts || ts < last.endTs - SLACK_SECONDS;
}

/** Returns the fault of the times of words: out of order, or outside of their result. */
function wordsFault({ type, ts, endTs, elements }: FinalEvent | PartialEvent): string | undefined {
  let after = ts;
  for (const [index, element] of elements.entries()) {
    if (!('ts' in element) || element.ts === undefined || element.endTs === undefined) continue;
    const span = `element ${index + 1} of the ${type}, from ${element.ts} to ${element.endTs} s,`;
    if (element.ts < ts - SLACK_SECONDS || element.endTs > endTs + SLACK_SECONDS)
      return `${span} is outside of ${ts} to ${endTs} s`;
    if (element.ts < after - SLACK_SECONDS) return `${span} starts before the element before it`;
    after = element.ts;
  }
  return undefined;
}
