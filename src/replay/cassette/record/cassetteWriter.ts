import type { Clock } from '../../../base/clock.ts';
import { RxscribeError } from '../../../base/errors.ts';
import type { CassetteLine } from '../cassette.ts';
import { type CassetteSize, MAX_RECORDED } from '../cassetteLimits.ts';
import { messageJson } from '../cassetteLines.ts';
import type { CassetteFileLine } from '../cassetteSchema.ts';
import type { GrowingFile } from './growingFile.ts';

/** Maximum number of lines that wait while audio is written. */
const MAX_WAITING = 64;

/** A line without its time, which the writer adds. */
export type NewLine<Line extends CassetteFileLine = CassetteLine> = Line extends { readonly ms: number }
  ? Omit<Line, 'ms'>
  : never;

export interface CassetteWriterOptions {
  /** Empty file, which the writer closes. */
  readonly file: GrowingFile;
  readonly clock: Clock;
  /** Removes secrets from a text. */
  readonly hide: (text: string) => string;
  /** Called with RxscribeError `store` when a line that was accepted cannot be written. */
  readonly onError: (error: unknown) => void;
}

/**
 * Writes the lines of a cassette as they happen. A line waits until the end of the current microtask turn, so that its
 * writer may still add to it.
 */
export class CassetteWriter {
  readonly #options: CassetteWriterOptions;
  readonly #file: GrowingFile;
  readonly #startMs: number;
  #waiting: CassetteFileLine[] = [];
  #size: CassetteSize = { lines: 0, textBytes: 0 };
  #isOpen = true;

  constructor(options: CassetteWriterOptions) {
    this.#options = options;
    this.#startMs = options.clock.now();
    this.#file = options.file;
  }

  /** Milliseconds since the recording began, in steps of a microsecond, below which there is only noise. */
  get ms(): number {
    return Math.max(0, Math.round((this.#options.clock.now() - this.#startMs) * 1000) / 1000);
  }

  /** Writes a line with the current time and returns it. */
  write<Line extends CassetteFileLine>(line: NewLine<Line>): Line {
    const { type, ...rest } = line as { type: string };
    const timed = { type, ms: this.ms, ...rest } as unknown as Line;
    this.writeWhole(timed);
    return timed;
  }

  /**
   * Writes a line as it is, without a time or with its own. Lines after the end are ignored.
   *
   * @throws RxscribeError `store` for a piece of audio that cannot be written; any other error goes to `onError`
   */
  writeWhole(line: CassetteFileLine): void {
    if (!this.#isOpen) return;
    this.#waiting.push(line);
    // A long gap of the source can be many pieces of audio.
    if (line.type === 'audio_data' && this.#waiting.length >= MAX_WAITING) this.flush();
    if (this.#waiting.length > 1) return;
    queueMicrotask(() => {
      try {
        this.flush();
      } catch (error) {
        this.#options.onError(error);
      }
    });
  }

  /** @throws RxscribeError `overflow` when a larger cassette could not be read again */
  checkRoom({ lines, textBytes }: CassetteSize = MAX_RECORDED): void {
    if (this.#size.lines < lines && this.#size.textBytes < textBytes) return;
    throw new RxscribeError(
      'overflow',
      `The cassette is full: it has ${lines} lines or ${textBytes} bytes besides the audio. ` +
        'Continue with another cassette.',
    );
  }

  /** Returns whether a line is still waiting and may be changed. */
  isWaiting(line: CassetteFileLine): boolean {
    return this.#waiting.includes(line);
  }

  /** Inserts a line before one that is waiting. */
  writeBefore(line: CassetteFileLine, waiting: CassetteFileLine): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 0, line);
  }

  /** @throws RxscribeError `store` */
  flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    const text = lines.map(line => this.#textOf(line)).join('');
    if (text !== '') this.#file.append(text);
  }

  /** Closes the file; waiting lines are lost. Idempotent. */
  close(): void {
    this.#isOpen = false;
    this.#waiting = [];
    this.#file.close();
  }

  #textOf(line: CassetteFileLine): string {
    const text = `${lineText(line, this.#options.hide)}\n`;
    const { lines, textBytes } = this.#size;
    const bytes = line.type === 'audio_data' ? 0 : Buffer.byteLength(text);
    this.#size = { lines: lines + 1, textBytes: textBytes + bytes };
    return text;
  }
}

/** Kinds of lines with text from others. */
const FOREIGN: ReadonlySet<CassetteFileLine['type']> = new Set([
  'connect',
  'message',
  'close',
  'status',
  'event',
]);

/** Names of fields that are needed to read or play a line. */
const NEEDED: ReadonlySet<string> = new Set(['type', 'by', 'cause', 'content_type', 'start_ts']);

/** Returns a line as text for the file. `hide` removes secrets from strings; names of fields and numbers stay. */
export function lineText(line: CassetteFileLine, hide: (text: string) => string): string {
  if (!FOREIGN.has(line.type)) return JSON.stringify(line);
  return JSON.stringify(readable(line, hide), (key, value: unknown) =>
    typeof value === 'string' && !NEEDED.has(key) ? hide(value) : value,
  );
}

/** Decodes a message that is JSON, however it is printed, so that names of its fields are not taken for secrets. */
function readable(line: CassetteFileLine, hide: (text: string) => string): CassetteFileLine {
  if (line.type !== 'message' || line.text === undefined || hide(line.text) === line.text) return line;
  const message = messageJson(line);
  const { text: _text, ...rest } = line;
  return message === undefined ? line : { ...rest, message };
}
