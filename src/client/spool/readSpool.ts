import { rmSync } from 'node:fs';
import { joinRanges } from '../../audio/format/frameRange.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { claimSpool } from './claimSpool.ts';
import { fileError } from './fileAccess.ts';
import { rewritePath } from './logRewriting.ts';
import type { OpenSpoolOptions } from './openSpool.ts';
import { rangeOf } from './pages.ts';
import type { LeftSpool, SpoolNote, SpoolSubject } from './spool.ts';
import { SpoolFile } from './spoolFile.ts';
import { checkSpoolKey } from './spoolKey.ts';
import { type LogRecord, SpoolLog, type SpoolLogOptions } from './spoolLog.ts';
import { parseNote, parseSubject, parseWriter } from './spoolSchema.ts';
import { isRunning, type WriterRecord } from './writerProcess.ts';

/** As those of a new spool; the key is that with which it is sealed, if it is. */
export type ReadSpoolOptions = Pick<OpenSpoolOptions, 'key' | 'memorySeconds' | 'spareBytes'>;

/**
 * Takes over the spool of a process that is no more. All of it is checked; audio is found, not loaded. A record at the
 * end that was cut when the process was killed is removed.
 *
 * @throws InvalidArgumentError when it is no spool, of a newer version, empty, or sealed with another key
 * @throws RxscribeError `unreadable-input` when it is damaged, cannot be read, or others may have written it;
 * `invalid-state` while its process lives or another one takes it
 * @example
 * const spool = readSpool('talk.spool');
 * for (const { startFrame } of spool.audio) spool.store.read(startFrame, 16_000);
 * spool.finish();
 */
export function readSpool(path: string, options: ReadSpoolOptions = {}): LeftSpool {
  const key = checkSpoolKey(options.key);
  using claim = claimSpool(path);
  const log = openLog({ path, key });
  try {
    const spool = new SpoolFile({ ...options, path, key, log });
    const left = readRecords(log, path, record => spool.restore(record));
    const { store } = spool;
    const { format } = log.header;
    const audio = joinRanges(store.pages.list.map(rangeOf));
    claim.check();
    // Of the process that is no more, if it was killed over it.
    rmSync(rewritePath(path), { force: true });
    log.beginWriting();
    return {
      ...{ ...left, path, format, audio, store },
      note: note => spool.note(note),
      finish: () => spool.finish(),
      close: () => spool.close(),
    };
  } catch (error) {
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
      : fileError(`read spool ${options.path}`, error, 'unreadable-input');
  }
}

type Left = Pick<LeftSpool, 'subject' | 'notes'>;

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
      `read spool ${path}: process ${writer.pid} is still at work on it`,
    );
  }
  if (!subject && log.header.encrypted && log.isTorn) throw otherKey(path);
  if (!subject) throw new InvalidArgumentError(`read spool ${path}: nothing is in it yet; remove it`);
  return { subject, notes };
}

function found<Value>(log: SpoolLog, offset: number, value: Value | undefined): Value {
  if (value === undefined) throw log.damaged(offset);
  return value;
}

function otherKey(path: string, cause?: unknown): InvalidArgumentError {
  const message = `read spool ${path}: wanted the key that it is sealed with, found another one`;
  return new InvalidArgumentError(message, { cause });
}
