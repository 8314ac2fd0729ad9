import {
  type AudioLine,
  CASSETTE_VERSION,
  type CassetteHeader,
  type CassetteLine,
  type EndLine,
} from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { type CassetteFileLine, checkLine } from '../cassetteSchema.ts';
import { contentFault, LineOrder } from './lineFaults.ts';
import type { FileLine } from './textLines.ts';

/** A place of bytes in a file. */
export interface ByteRange {
  readonly offset: number;
  readonly bytes: number;
}

/** A cassette file, before its audio is looked at. */
export interface ParsedCassette {
  readonly header: CassetteHeader;
  readonly lines: readonly CassetteLine[];
  readonly end?: EndLine;
  readonly audioLine?: AudioLine;
  /** The lines with pieces of the audio file. */
  readonly audioData: readonly ByteRange[];
  /** The number of its last line. */
  readonly lastLine: number;
}

/** Takes the lines of a cassette one by one. All of its methods throw {@link CassetteError}. */
export class CassetteParser {
  readonly #path: string;
  readonly #order = new LineOrder();
  readonly #lines: CassetteLine[] = [];
  readonly #audioData: ByteRange[] = [];
  #header: CassetteHeader | undefined;
  #audioLine: AudioLine | undefined;
  #end: EndLine | undefined;
  #lastLine = 0;
  #textBytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  push(line: FileLine): void {
    const json = this.#jsonOf(line);
    // Where the recording was cut off, within a line.
    if (json === undefined) return;
    this.#lastLine = line.number;
    if (line.number > CASSETTE_LIMITS.lines) {
      this.#fail(`wanted at most ${CASSETTE_LIMITS.lines} lines, found more`);
    }
    if (this.#end) this.#fail('wanted nothing behind the end line, found another line');
    this.#take(this.#header ? this.#checked(json) : this.#checkedHeader(json), line);
  }

  end(): ParsedCassette {
    if (!this.#header) throw new CassetteError({ path: this.#path }, 'wanted a header line, found none');
    return {
      header: this.#header,
      lines: this.#lines,
      audioData: this.#audioData,
      lastLine: this.#lastLine,
      ...(this.#audioLine && { audioLine: this.#audioLine }),
      ...(this.#end && { end: this.#end }),
    };
  }

  #jsonOf({ number, text, isEnded }: FileLine): unknown {
    try {
      return JSON.parse(text);
    } catch {
      // The parser's own error quotes the text, which may be somebody's words: it is not kept as the cause.
      if (!isEnded && this.#header) return undefined;
      const wanted = this.#header ? 'JSON' : 'the header of a cassette, in JSON';
      throw new CassetteError({ path: this.#path, line: number }, `wanted ${wanted}, found something else`);
    }
  }

  #checkedHeader(json: unknown): CassetteFileLine {
    const { type, version } = (json ?? {}) as { type?: unknown; version?: unknown };
    if (type !== 'cassette') this.#fail('wanted the header of a cassette, found another line');
    // First: what a later version has in its header is not known.
    if (Number.isInteger(version) && (version as number) > CASSETTE_VERSION) {
      this.#fail(
        `wanted version ${CASSETTE_VERSION} of the format at most, found version ${version}: ` +
          'read it with a newer rxscribe, or record it again',
      );
    }
    return this.#checked(json);
  }

  #checked(json: unknown): CassetteFileLine {
    const line = checkLine(json);
    if ('wanted' in line) this.#fail(`wanted ${line.wanted}, found ${line.found}`);
    const fault = this.#order.faultOf(line) ?? contentFault(line);
    if (fault) this.#fail(fault);
    return line;
  }

  #take(line: CassetteFileLine, { offset, bytes }: FileLine): void {
    if (line.type === 'audio_data') {
      this.#audioData.push({ offset, bytes });
      return;
    }
    this.#textBytes += bytes;
    if (this.#textBytes > CASSETTE_LIMITS.textBytes) {
      this.#fail(`wanted at most ${CASSETTE_LIMITS.textBytes} bytes besides the audio, found more`);
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
