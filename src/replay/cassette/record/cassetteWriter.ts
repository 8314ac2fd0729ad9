import type { Clock } from '../../../base/clock.ts';
import { RxscribeError } from '../../../base/errors.ts';
import type { CassetteLine } from '../cassette.ts';
import { type CassetteSize, MAX_RECORDED } from '../cassetteLimits.ts';
import { messageJson } from '../cassetteLines.ts';
import type { CassetteFileLine } from '../cassetteSchema.ts';
import type { GrowingFile } from './growingFile.ts';

/** So many lines wait at most while audio is written. */
const MAX_WAITING = 64;

/** A line without its time, which the writer knows. */
export type NewLine<Line extends CassetteFileLine = CassetteLine> = Line extends { readonly ms: number }
  ? Omit<Line, 'ms'>
  : never;

export interface CassetteWriterOptions {
  /** Empty; the writer closes it. */
  readonly file: GrowingFile;
  readonly clock: Clock;
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
  /** A line that was taken cannot be written: RxscribeError `store`. */
  readonly onError: (error: unknown) => void;
}

/**
 * Writes the lines of a cassette as they happen. A line waits until the program comes to rest, within the same turn of
 * its loop: until then whoever wrote it may still add to it.
 */
export class CassetteWriter implements Disposable {
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

  /** Since the recording began. In steps of a microsecond: what is finer is noise. */
  get ms(): number {
    return Math.max(0, Math.round((this.#options.clock.now() - this.#startMs) * 1000) / 1000);
  }

  /** Gives the line that will be written. */
  write<Line extends CassetteFileLine>(line: NewLine<Line>): Line {
    const { type, ...rest } = line as { type: string };
    const timed = { type, ms: this.ms, ...rest } as unknown as Line;
    this.writeWhole(timed);
    return timed;
  }

  /**
   * For lines that have no time, or one of their own. What comes after the end is not written.
   *
   * @throws RxscribeError `store` for a piece of audio that cannot be written; of all else `onError` tells
   */
  writeWhole(line: CassetteFileLine): void {
    if (!this.#isOpen) return;
    this.#waiting.push(line);
    // A long silence of the source can be many pieces of audio.
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

  /** @throws RxscribeError `overflow` when more could not be read again */
  checkRoom({ lines, textBytes }: CassetteSize = MAX_RECORDED): void {
    if (this.#size.lines < lines && this.#size.textBytes < textBytes) return;
    throw new RxscribeError(
      'overflow',
      `record: wanted at most ${lines} lines and ${textBytes} bytes besides the audio, found more; ` +
        'go on with another cassette',
    );
  }

  /** Whether a line can still be added to. */
  isWaiting(line: CassetteFileLine): boolean {
    return this.#waiting.includes(line);
  }

  /** For a line that belongs before one that waits. */
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

  /** What waits is lost. Idempotent. */
  close(): void {
    this.#isOpen = false;
    this.#waiting = [];
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #textOf(line: CassetteFileLine): string {
    const text = `${lineText(line, this.#options.hide)}\n`;
    const { lines, textBytes } = this.#size;
    const bytes = line.type === 'audio_data' ? 0 : Buffer.byteLength(text);
    this.#size = { lines: lines + 1, textBytes: textBytes + bytes };
    return text;
  }
}

/** Lines with what others said, or asked for in words of their own. */
const FOREIGN: ReadonlySet<CassetteFileLine['type']> = new Set([
  'connect',
  'message',
  'close',
  'status',
  'event',
]);

/** What a line cannot be read or played without. */
const NEEDED: ReadonlySet<string> = new Set(['type', 'by', 'cause', 'content_type', 'start_ts']);

/** A line as the file has it. `hide` takes secrets out of a text; names of fields and numbers stay. */
export function lineText(line: CassetteFileLine, hide: (text: string) => string): string {
  if (!FOREIGN.has(line.type)) return JSON.stringify(line);
  return JSON.stringify(readable(line, hide), (key, value: unknown) =>
    typeof value === 'string' && !NEEDED.has(key) ? hide(value) : value,
  );
}

/** In a message that is JSON, names of fields are no secrets, however it is printed. */
function readable(line: CassetteFileLine, hide: (text: string) => string): CassetteFileLine {
  if (line.type !== 'message' || line.text === undefined || hide(line.text) === line.text) return line;
  const message = messageJson(line);
  const { text: _text, ...rest } = line;
  return message === undefined ? line : { ...rest, message };
}
