import { sccCharacter, sccText, sccUnknown } from '../../../transcript/formats/scc/sccCharacters.ts';
import type { CaptionStep } from '../../captionStep.ts';
import type { RollUpShape } from '../../rows/rollUp.ts';
import { codeOf, ObsDisplay, type ObsDisplayOptions, type ObsNotes } from './obsPart.ts';
import type { ObsSession } from './obsSession.ts';

/** Columns of CEA-608, and two of its rows: three would take 2 s of the channel instead of 1.5 s, and show words later. */
export const STREAM_SHAPE = { columns: 32, rows: 2 } as const;
/** Maximum number of bytes of a caption in OBS, which cuts longer ones, also within a character. */
const MAX_CAPTION_BYTES = 128;
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

/**
 * Returns the milliseconds that a caption occupies the 608 channel. OBS puts all of it into one picture; a decoder that keeps to the
 * rate of the channel shows faster ones late.
 */
export function repaintMs(text: string): number {
  const rows = text === '' ? [] : text.split('\n');
  const bytes = rows.reduce((sum, row) => sum + ROW_BYTES + cea608Bytes(row), REPAINT_BYTES);
  return (bytes * 1000) / BYTES_PER_SECOND;
}

/** Closed captions within the stream of OBS. Each request has the whole display, which OBS shows as one screen. */
export class StreamCaptions extends ObsDisplay {
  readonly #notes: ObsNotes;
  #isStreaming = false;
  #hasNoted = false;
  #hasNotedUnknown = false;

  constructor(options: Omit<ObsDisplayOptions, 'use' | 'minIntervalMs' | keyof RollUpShape>) {
    super({ ...options, ...STREAM_SHAPE, use: 'captions', minIntervalMs: repaintMs });
    this.#notes = options.notes;
  }

  override take(step: CaptionStep): void {
    this.#noteUnknown(step);
    super.take(stepIn608(step));
  }

  protected override textOf(rows: readonly string[]): string {
    return captionText(rows);
  }

  connected(session: ObsSession): void {
    const setStreaming = ({ outputActive }: { readonly outputActive: boolean }) => {
      if (!session.ended.aborted) this.#setStreaming(session, outputActive);
    };
    session.events.on('StreamStateChanged', setStreaming);
    // The heartbeat finds out whether OBS answers.
    session.call('GetStreamStatus').then(setStreaming, () => {});
  }

  override disconnected(): void {
    this.#isStreaming = false;
    super.disconnected();
  }

  protected async send(session: ObsSession, captionText: string): Promise<void> {
    try {
      await session.call('SendStreamCaption', { captionText });
    } catch (error) {
      if (codeOf(error) !== OUTPUT_NOT_RUNNING) throw error;
      this.#setStreaming(session, false);
    }
  }

  /** Reports the first characters that captions in the stream cannot have. */
  #noteUnknown(step: CaptionStep): void {
    if (step.type !== 'words' || this.#hasNotedUnknown) return;
    const unknown = new Set(step.added.flatMap(({ text }) => sccUnknown(text)));
    if (unknown.size === 0) return;
    this.#hasNotedUnknown = true;
    const named = [...unknown].join(' ');
    this.#notes.note(`Captions in the stream have '?' for characters that CEA-608 lacks, such as ${named}.`);
  }

  #setStreaming(session: ObsSession, isStreaming: boolean): void {
    const hasBegun = isStreaming && !this.#isStreaming;
    this.#isStreaming = isStreaming;
    if (hasBegun) this.show(session);
    if (isStreaming) return;
    super.disconnected();
    if (!this.#hasNoted) this.#notes.note('OBS does not stream yet; its captions begin when it does.');
    this.#hasNoted = true;
  }
}

/** Returns a step with words in characters of CEA-608, so that rows are measured as they are sent. */
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
