import type { Clock } from '../../../base/clock.ts';
import { sccCharacter, sccText, sccUnknown } from '../../../transcript/formats/scc/sccCharacters.ts';
import type { CaptionStep } from '../../captionStep.ts';
import { initialDisplayState, nextDisplay } from '../../rows/captionDisplay.ts';
import { LatestDelivery } from '../latestDelivery.ts';
import { codeOf, type ObsNotes, type ObsPart } from './obsPart.ts';
import type { ObsSession } from './obsSession.ts';

/** Columns of CEA-608, and two of its rows: three would take 2 s of the channel instead of 1.5 s, and show words later. */
export const STREAM_SHAPE = { columns: 32, rows: 2 } as const;
/** Maximum number of bytes of a caption in OBS, which cuts longer ones, also within a character. */
export const MAX_CAPTION_BYTES = 128;
/** Bytes a second that field 1 of CEA-608 carries: two a frame of 29.97. */
const BYTES_PER_SECOND = 59.94;
/** Bytes of the commands of a repaint (resume, erase, swap), each of which is sent twice, and of the position of a row. */
const REPAINT_BYTES = 16;
const ROW_BYTES = 4;

/** Status of a request while OBS does not stream. */
const OUTPUT_NOT_RUNNING = 501;

/** Returns the rows that fit into one caption, the newest ones first considered. */
export function captionText(rows: readonly string[]): string {
  for (let from = 0; from < rows.length; from++) {
    const text = rows.slice(from).join('\n');
    if (Buffer.byteLength(text) <= MAX_CAPTION_BYTES) return text;
  }
  return '';
}

/** Returns the milliseconds that a caption occupies the 608 channel. OBS queues captions, so faster ones would be shown late. */
export function repaintMs(text: string): number {
  const rows = text === '' ? [] : text.split('\n');
  const bytes = rows.reduce((sum, row) => sum + ROW_BYTES + cea608Bytes(row), REPAINT_BYTES);
  return (bytes * 1000) / BYTES_PER_SECOND;
}

export interface StreamCaptionsOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly notes: ObsNotes;
}

/** Closed captions within the stream of OBS. Each request has the whole display, as OBS shows it as one screen. */
export class StreamCaptions implements ObsPart {
  readonly #options: StreamCaptionsOptions;
  readonly #delivery: LatestDelivery<string>;
  #state = initialDisplayState;
  #text = '';
  #session: ObsSession | undefined;
  #isStreaming = false;
  #hasNoted = false;
  #hasNotedUnknown = false;

  constructor(options: StreamCaptionsOptions) {
    this.#options = options;
    this.#delivery = new LatestDelivery({
      name: 'obs',
      clock: options.clock,
      // A request without an answer fails earlier, with a better reason.
      timeoutMs: options.timeoutMs + 1000,
      minIntervalMs: repaintMs,
      send: (text, signal) => this.#send(text, signal),
    });
  }

  take(step: CaptionStep): void {
    this.#noteUnknown(step);
    this.#state = nextDisplay(this.#state, stepIn608(step), STREAM_SHAPE);
    const text = captionText(this.#state.display.rows);
    const isNew = text !== this.#text;
    this.#text = text;
    if (!this.#isStreaming) return;
    if (step.type === 'off') this.#delivery.pushNow('');
    else if (isNew) this.#delivery.push(text);
  }

  connected(session: ObsSession): void {
    this.#session = session;
    session.events.on('StreamStateChanged', ({ outputActive }) => {
      if (session === this.#session) this.#setStreaming(outputActive);
    });
    session.call('GetStreamStatus').then(
      ({ outputActive }) => {
        if (session === this.#session) this.#setStreaming(outputActive);
      },
      // The heartbeat finds out whether OBS answers.
      () => {},
    );
  }

  disconnected(): void {
    this.#session = undefined;
    this.#isStreaming = false;
    this.#delivery.drop();
  }

  report() {
    return this.#delivery.report();
  }

  async close(): Promise<void> {
    this.#text = '';
    if (this.#isStreaming) this.#delivery.pushNow('');
    await this.#delivery.close();
  }

  /** Reports the first characters that captions in the stream cannot have. */
  #noteUnknown(step: CaptionStep): void {
    if (step.type !== 'words' || this.#hasNotedUnknown) return;
    const unknown = new Set(step.added.flatMap(({ text }) => sccUnknown(text)));
    if (unknown.size === 0) return;
    this.#hasNotedUnknown = true;
    const named = [...unknown].join(' ');
    this.#options.notes.note(
      `Captions in the stream have '?' for characters that CEA-608 lacks, such as ${named}.`,
    );
  }

  #setStreaming(isStreaming: boolean): void {
    const hasBegun = isStreaming && !this.#isStreaming;
    this.#isStreaming = isStreaming;
    if (hasBegun && this.#text !== '') this.#delivery.pushNow(this.#text);
    if (isStreaming) return;
    this.#delivery.drop();
    if (!this.#hasNoted)
      this.#options.notes.note('OBS does not stream yet; captions in the stream begin with it.');
    this.#hasNoted = true;
  }

  async #send(captionText: string, signal: AbortSignal): Promise<void> {
    const session = this.#session;
    // The text is sent when OBS is connected, and streams.
    if (!session || !this.#isStreaming) return;
    try {
      await session.call('SendStreamCaption', { captionText });
      this.#options.notes.works('captions');
    } catch (error) {
      if (codeOf(error) === OUTPUT_NOT_RUNNING) return this.#setStreaming(false);
      if (session.ended.aborted) return;
      this.#options.notes.fails('captions', error);
      throw error;
    }
    if (signal.aborted && captionText !== this.#text) this.#delivery.push(this.#text);
  }
}

/** Returns a step whose words have only characters of CEA-608, so that the rows are as wide as they will be. */
export function stepIn608(step: CaptionStep): CaptionStep {
  if (step.type === 'notice') return { ...step, text: cea608Text(step.text) };
  if (step.type !== 'words') return step;
  const added = step.added.map(word => ({
    ...word,
    text: cea608Text(word.text),
    speaker: word.speaker === undefined ? undefined : cea608Text(word.speaker),
  }));
  return { ...step, added: added.filter(({ text }) => text !== ''), tail: [] };
}

/**
 * Returns a text in the characters of CEA-608 for OBS, whose encoder has the apostrophe of the basic set as U+2019, and sends the
 * straight one as an extended character, which not every decoder has.
 */
export function cea608Text(text: string): string {
  return sccText(text).replaceAll("'", '\u2019');
}

/** Returns the bytes of a row on the 608 channel: two for a character of the further sets, and an even number in all. */
export function cea608Bytes(row: string): number {
  const isBasic = (char: string) => char === '\u2019' || sccCharacter(char)?.type === 'basic';
  const bytes = [...row].reduce((sum, char) => sum + (isBasic(char) ? 1 : 2), 0);
  return bytes + (bytes % 2);
}
