import { CASSETTE_VERSION, type Cassette, type CassetteLine } from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { type CassetteFileLine, checkLine, type LineOf } from '../cassetteSchema.ts';
import { SessionDamage } from '../damage.ts';
import { contentFault, LineOrder } from './lineFaults.ts';
import type { FileLine } from './textLines.ts';

/** A range of bytes in a file. */
export interface ByteRange {
  readonly offset: number;
  readonly bytes: number;
}

/** A parsed cassette file, whose audio has not been verified. */
export interface ParsedCassette extends Pick<Cassette, 'header' | 'lines' | 'end' | 'damage'> {
  readonly audioLine?: LineOf<'audio'>;
  /** Lines with pieces of the audio file. */
  readonly audioData: readonly ByteRange[];
  /** Number of the last line. */
  readonly lastLine: number;
}

/** Parses the lines of a cassette one by one. All methods throw {@link CassetteError}. */
export class CassetteParser {
  readonly #path: string;
  readonly #order = new LineOrder();
  readonly #damage = new SessionDamage();
  readonly #lines: CassetteLine[] = [];
  readonly #audioData: ByteRange[] = [];
  #header: LineOf<'cassette'> | undefined;
  #audioLine: LineOf<'audio'> | undefined;
  #end: LineOf<'end'> | undefined;
  #lastLine = 0;
  #textBytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  push(line: FileLine): void {
    const json = this.#jsonOf(line);
    // The recording was cut off within this line.
    if (json === undefined) return;
    this.#lastLine = line.number;
    if (line.number > CASSETTE_LIMITS.lines) {
      this.#fail(`expected at most ${CASSETTE_LIMITS.lines} lines, found more`);
    }
    if (this.#end) this.#fail('expected nothing behind the end line, found another line');
    this.#take(this.#header ? this.#checked(json) : this.#checkedHeader(json), line);
  }

  end(): ParsedCassette {
    if (!this.#header) throw new CassetteError({ path: this.#path }, 'expected a header line, found none');
    return {
      header: this.#header,
      lines: this.#lines,
      audioData: this.#audioData,
      lastLine: this.#lastLine,
      audioLine: this.#audioLine,
      end: this.#end,
      damage: this.#damage.end(),
    };
  }

  #jsonOf({ number, text, isEnded }: FileLine): unknown {
    try {
      return JSON.parse(text);
    } catch {
      // The parser's own error quotes the text, which may be from a transcript, so it is not kept as the cause.
      if (!isEnded && this.#header) return undefined;
      const expected = this.#header ? 'JSON' : 'the header of a cassette, in JSON';
      throw new CassetteError(
        { path: this.#path, line: number },
        `expected ${expected}, found something else`,
      );
    }
  }

  #checkedHeader(json: unknown): CassetteFileLine {
    const { type, version } = (json ?? {}) as { type?: unknown; version?: unknown };
    if (type !== 'cassette') this.#fail('expected the header of a cassette, found another line');
    // Checked first, because the header of a later version is unknown.
    if (Number.isInteger(version) && (version as number) > CASSETTE_VERSION) {
      this.#fail(
        `it has version ${version} of the format, and this rxscribe reads version ${CASSETTE_VERSION} at most; ` +
          'use a newer rxscribe, or record it again',
      );
    }
    return this.#checked(json);
  }

  #checked(json: unknown): CassetteFileLine {
    const line = checkLine(json);
    if ('expected' in line) this.#fail(`expected ${line.expected}, found ${line.found}`);
    const fault = this.#order.faultOf(line) ?? contentFault(line);
    if (fault) this.#fail(fault);
    this.#damage.push(line, this.#lastLine);
    return line;
  }

  #take(line: CassetteFileLine, { offset, bytes }: FileLine): void {
    if (line.type === 'audio_data') {
      this.#audioData.push({ offset, bytes });
      return;
    }
    this.#textBytes += bytes;
    if (this.#textBytes > CASSETTE_LIMITS.textBytes) {
      this.#fail(`expected at most ${CASSETTE_LIMITS.textBytes} bytes besides the audio, found more`);
    }
    if (line.type === 'cassette') this.#header = line;
    else if (line.type === 'end') this.#end = line;
    else this.#lines.push(line);
    if (line.type === 'audio') this.#audioLine = line;
  }

  #fail(fault: string): never {
    throw new CassetteError({ path: this.#path, line: this.#lastLine }, fault);
  }
}
