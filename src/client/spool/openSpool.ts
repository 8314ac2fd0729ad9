import { rmSync } from 'node:fs';
import type { PcmFormat } from '../../audio/format/format.ts';
import { joinRanges } from '../../audio/format/frameRange.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { claimSpool } from './claimSpool.ts';
import { fileError } from './fileAccess.ts';
import { rewritePath } from './logRewriting.ts';
import { rangeOf } from './pages.ts';
import { resumeLine } from './resumeLine.ts';
import type { AbandonedSpool, Spool, SpoolNote, SpoolSubject } from './spool.ts';
import { SpoolFile } from './spoolFile.ts';
import { checkSpoolKey } from './spoolKey.ts';
import { type LogRecord, SpoolLog, type SpoolLogOptions } from './spoolLog.ts';
import { parseNote, parseSubject, parseWriter, type SpoolHeader } from './spoolSchema.ts';
import { isRunning, type WriterRecord } from './writerProcess.ts';

export interface OpenSpoolOptions {
  /** Path of the file, which must not exist yet. */
  readonly path: string;
  readonly subject: SpoolSubject;
  /** Format of the bytes of chunks. */
  readonly format: PcmFormat;
  /** Key of 32 bytes that seals everything but the format (AES-256-GCM). Default: none, so that anyone who may read the file can listen. */
  readonly key?: Uint8Array | undefined;
  /** Seconds of audio that stay in memory as well. Default 60. */
  readonly memorySeconds?: number | undefined;
  /**
   * Maximum bytes of unneeded data in the file. When there are more, and more than needed data, the file is rewritten without
   * them, a little with each chunk. Default 64 MiB.
   */
  readonly spareBytes?: number | undefined;
}

/**
 * Creates a spool: a file with all audio and notes of one source, which only its owner may read.
 *
 * Written data survives the process, even when it is killed. Writes do not wait for the disk, which may take tens of
 * milliseconds each time: a power failure may cost the last seconds.
 *
 * @throws InvalidArgumentError when the file exists already, or the key is not 32 bytes long
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
  // Left over from an earlier spool at the same path.
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
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw fileError(`Cannot create spool '${path}'`, cause);
    const line = resumeLine(path, { keyFile: options.key && 'KEYFILE' });
    const message = `Cannot create spool '${path}': the file exists. Finish it with \`${line}\`, or remove it.`;
    throw new InvalidArgumentError(message, { cause });
  }
}

/** Options as for a new spool; the key is the one that seals it, if it is sealed. */
export type ReadSpoolOptions = Pick<OpenSpoolOptions, 'key' | 'memorySeconds' | 'spareBytes'>;

/**
 * Takes over the spool of a process that has ended. The whole file is checked; audio is located, not loaded. A record at
 * the end that was cut off when the process was killed is removed.
 *
 * @throws InvalidArgumentError when the file is not a spool, is of a newer version, is empty, or is sealed with another key
 * @throws RxscribeError `unreadable-input` when it is damaged, cannot be read, or other users may have written it;
 * `invalid-state` while its process runs or another one takes it over
 * @example
 * const spool = readSpool('talk.spool');
 * for (const { startFrame } of spool.audio) spool.store.read(startFrame, 16_000);
 * spool.finish();
 */
export function readSpool(path: string, options: ReadSpoolOptions = {}): AbandonedSpool {
  const key = checkSpoolKey(options.key);
  using claim = claimSpool(path);
  const log = openLog({ path, key });
  let opened: SpoolFile | undefined;
  try {
    const spool = new SpoolFile({ ...options, path, key, log });
    opened = spool;
    const left = readRecords(log, path, record => spool.restore(record));
    const { store } = spool;
    const { format } = log.header;
    const audio = joinRanges(store.pages.list.map(rangeOf));
    claim.check();
    // Left over when the earlier process was killed during a rewrite.
    rmSync(rewritePath(path), { force: true });
    log.beginWriting();
    return {
      ...left,
      path,
      format,
      audio,
      store,
      note: note => spool.note(note),
      finish: () => spool.finish(),
      close: () => spool.close(),
    };
  } catch (error) {
    opened?.store.close();
    log.close();
    throw error;
  }
}

function openLog(options: SpoolLogOptions): SpoolLog {
  try {
    return SpoolLog.open(options);
  } catch (error) {
    throw error instanceof RxscribeError
      ? error
      : fileError(`Cannot read spool '${options.path}'`, error, 'unreadable-input');
  }
}

type Left = Pick<AbandonedSpool, 'subject' | 'notes'>;

function readRecords(log: SpoolLog, path: string, restore: (record: LogRecord) => void): Left {
  let subject: SpoolSubject | undefined;
  let writer: WriterRecord | undefined;
  const notes: SpoolNote[] = [];
  try {
    for (const record of log.records()) {
      const { type, payload, offset } = record;
      if (type === 'writer') writer = found(log, offset, parseWriter(payload));
      else if (type === 'left') writer = undefined;
      else if (type === 'subject') subject = found(log, offset, parseSubject(payload));
      else if (type === 'note') notes.push(found(log, offset, parseNote(payload)));
      restore(record);
    }
  } catch (cause) {
    if (subject || !log.header.encrypted) throw cause;
    throw otherKey(path, cause);
  }
  if (writer && isRunning(writer)) {
    throw new RxscribeError(
      'invalid-state',
      `Cannot read spool '${path}': process ${writer.pid} is still writing to it. Wait until it has ended.`,
    );
  }
  if (!subject && log.header.encrypted && log.isTorn) throw otherKey(path);
  if (!subject) throw new InvalidArgumentError(`Cannot read spool '${path}': it is empty. Remove it.`);
  return { subject, notes };
}

function found<Value>(log: SpoolLog, offset: number, value: Value | undefined): Value {
  if (value === undefined) throw log.damaged(offset);
  return value;
}

function otherKey(path: string, cause?: unknown): InvalidArgumentError {
  const message = `Cannot read spool '${path}': it was encrypted with another key. Use the key with which it was created.`;
  return new InvalidArgumentError(message, { cause });
}
