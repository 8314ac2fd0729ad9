import { rmSync } from 'node:fs';
import type { PcmFormat } from '../../audio/format/format.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileError } from './fileAccess.ts';
import { rewritePath } from './logRewriting.ts';
import { resumeLine } from './resumeLine.ts';
import type { Spool, SpoolSubject } from './spool.ts';
import { SpoolFile } from './spoolFile.ts';
import type { SpoolHeader } from './spoolHeader.ts';
import { checkSpoolKey } from './spoolKey.ts';
import { SpoolLog, type SpoolLogOptions } from './spoolLog.ts';

export interface OpenSpoolOptions {
  /** Of a file that is not there yet. */
  readonly path: string;
  readonly subject: SpoolSubject;
  /** Of the bytes that chunks have. */
  readonly format: PcmFormat;
  /** 32 bytes with which all but the format is sealed (AES-256-GCM). Default none: whoever may read the file may listen. */
  readonly key?: Uint8Array | undefined;
  /** Seconds of audio that stay in memory as well. Default 60. */
  readonly memorySeconds?: number | undefined;
  /**
   * Bytes of the file that nobody may need. When there are more, and more than are needed, it is rewritten without them,
   * a little with each chunk. Default 64 MiB.
   */
  readonly spareBytes?: number | undefined;
}

/**
 * A new spool: a file, which only its owner may read, with all audio and notes of one source.
 *
 * What was written survives the process, also when it is killed. It does not wait for the disk, which may take tens of
 * milliseconds each time: a loss of power may cost the last seconds.
 *
 * @throws InvalidArgumentError when there is a file already, or the key has not 32 bytes
 * @throws RxscribeError `store` when it cannot be written
 * @example
 * const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
 * const subject = { addresses: ['wss://speech.example'], query: { language: 'en' }, marginSeconds: 2 };
 * const spool = openSpool({ path: 'talk.spool', subject, format });
 * spool.store.append({ startFrame: 0, frames: 2, bytes: new Uint8Array(4) });
 * spool.note({ type: 'ended', endFrame: 2 });
 * spool.finish();
 */
export function openSpool(options: OpenSpoolOptions): Spool {
  const { path, subject, format } = options;
  const key = checkSpoolKey(options.key);
  const log = createLog({ format, encrypted: key !== undefined }, { path, key });
  // Of a spool that was at the same path.
  rmSync(rewritePath(path), { force: true });
  const spool = new SpoolFile({ ...options, key, log });
  try {
    spool.write('subject', subject);
  } catch (error) {
    spool.finish();
    throw error;
  }
  return spool;
}

function createLog(header: SpoolHeader, options: SpoolLogOptions): SpoolLog {
  try {
    return SpoolLog.create(header, options);
  } catch (cause) {
    const { path } = options;
    if (cause instanceof RxscribeError) throw cause;
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(`open spool ${path}`, cause);
    const line = resumeLine(path, { keyFile: options.key && 'KEYFILE' });
    const advice = `if it is yours, finish it with "${line}", or remove it`;
    throw new InvalidArgumentError(`open spool ${path}: wanted a new file, found one: ${advice}`, { cause });
  }
}
