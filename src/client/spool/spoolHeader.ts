import { CHANNELS_RANGE, SAMPLE_RATE_RANGE } from '../../audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type PcmFormat } from '../../audio/format/format.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { readFully } from './fileAccess.ts';

const VERSION = 1;
const LONGEST_BYTES = 4096;

/** The first line of a spool, which anybody may read. */
export interface SpoolHeader {
  readonly format: PcmFormat;
  readonly encrypted: boolean;
}

export function headerLine({ format, encrypted }: SpoolHeader): string {
  const { sampleFormat, sampleRate, channels } = format;
  return `${JSON.stringify({ rxscribe: 'spool', version: VERSION, encrypted, format: { sampleFormat, sampleRate, channels } })}\n`;
}

/** @throws InvalidArgumentError when a file is no spool, or one of a newer version */
export function readHeader(
  fd: number,
  path: string,
): { readonly header: SpoolHeader; readonly line: string } {
  const bytes = new Uint8Array(LONGEST_BYTES);
  const text = Buffer.from(bytes.subarray(0, readFully(fd, bytes, 0))).toString('latin1');
  const line = text.slice(0, text.indexOf('\n') + 1);
  const header = parsed(line);
  if (header?.rxscribe !== 'spool') {
    throw new InvalidArgumentError(
      `read spool ${path}: wanted a file that rxscribe wrote, found something else`,
    );
  }
  if (header.version !== VERSION) {
    const found = Number.isSafeInteger(header.version) ? header.version : 'another one';
    throw new InvalidArgumentError(`read spool ${path}: wanted version ${VERSION}, found ${found}`);
  }
  if (headerLine(header) !== line || !isUsable(header)) {
    throw new InvalidArgumentError(`read spool ${path}: its first line is not as it was written`);
  }
  return { header, line };
}

function isUsable({ format, encrypted }: SpoolHeader): boolean {
  const { sampleFormat, sampleRate, channels } = format;
  return (
    typeof encrypted === 'boolean' &&
    typeof sampleFormat === 'string' &&
    Object.hasOwn(BYTES_PER_SAMPLE, sampleFormat) &&
    isIntegerUpTo(SAMPLE_RATE_RANGE.max, sampleRate) &&
    isIntegerUpTo(CHANNELS_RANGE.max, channels)
  );
}

function isIntegerUpTo(max: number, value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= max;
}

type WrittenHeader = SpoolHeader & { readonly rxscribe: unknown; readonly version: unknown };

function parsed(line: string): WrittenHeader | undefined {
  try {
    const value = JSON.parse(line);
    return value?.format ? value : undefined;
  } catch {
    return undefined;
  }
}
