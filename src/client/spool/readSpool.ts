import type { FrameRange } from '../../audio/frameRange.ts';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { fileError } from './fileAccess.ts';
import type { OpenSpoolOptions } from './openSpool.ts';
import { endOf, type Page } from './pages.ts';
import type { LeftSpool, SpoolNote, SpoolSubject } from './spool.ts';
import { SpoolFile } from './spoolFile.ts';
import { checkSpoolKey } from './spoolKey.ts';
import { type LogRecord, SpoolLog, type SpoolLogOptions, type WriterRecord } from './spoolLog.ts';
import { isRunning } from './writerProcess.ts';

/** As those of a new spool; the key is that with which it is sealed, if it is. */
export type ReadSpoolOptions = Pick<OpenSpoolOptions, 'key' | 'memorySeconds' | 'spareBytes'>;

/**
 * Takes over the spool of a process that is no more. All of it is checked; audio is found, not loaded. A record at the
 * end that was cut when the process was killed is removed.
 *
 * @throws InvalidArgumentError when it is no spool, of a newer version, empty, or sealed with another key
 * @throws RxscribeError `store` when it is damaged or cannot be read, `invalid-state` while its process lives
 * @example
 * const spool = readSpool('talk.spool');
 * for (const { startFrame } of spool.audio) spool.store.read(startFrame, 16_000);
 * spool.finish();
 */
export function readSpool(path: string, options: ReadSpoolOptions = {}): LeftSpool {
  const key = checkSpoolKey(options.key);
  const log = openLog({ path, key });
  try {
    const spool = new SpoolFile({ ...options, path, key, log });
    const left = readRecords(log, path, record => spool.restore(record));
    const { store } = spool;
    const { format } = log.header;
    const audio = joined(store.pages.list);
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
    throw error instanceof RxscribeError ? error : fileError(`read spool ${options.path}`, error);
  }
}

type Left = Pick<LeftSpool, 'subject' | 'notes'>;

function readRecords(log: SpoolLog, path: string, restore: (record: LogRecord) => void): Left {
  let subject: SpoolSubject | undefined;
  let writer: WriterRecord | undefined;
  const notes: SpoolNote[] = [];
  try {
    for (const record of log.records()) {
      const { type, payload } = record;
      if (type === 'writer') writer = jsonOf(payload);
      else if (type === 'left') writer = undefined;
      else if (type === 'subject') subject = jsonOf(payload);
      else if (type === 'note') notes.push(jsonOf(payload));
      restore(record);
    }
  } catch (cause) {
    if (subject || !log.header.encrypted) throw cause;
    throw new InvalidArgumentError(
      `read spool ${path}: wanted the key that it is sealed with, found another one`,
      {
        cause,
      },
    );
  }
  if (writer && isRunning(writer)) {
    throw new RxscribeError(
      'invalid-state',
      `read spool ${path}: process ${writer.pid} is still at work on it`,
    );
  }
  if (!subject) throw new InvalidArgumentError(`read spool ${path}: nothing is in it yet; remove it`);
  return { subject, notes };
}

function jsonOf<Value>(payload: Uint8Array): Value {
  return JSON.parse(Buffer.from(payload).toString());
}

function joined(pages: readonly Page[]): readonly FrameRange[] {
  const ranges: FrameRange[] = [];
  for (const page of pages) {
    const before = ranges.at(-1);
    const goesOn = before?.endFrame === page.startFrame;
    const startFrame = goesOn ? before.startFrame : page.startFrame;
    if (goesOn) ranges.pop();
    ranges.push({ startFrame, endFrame: endOf(page) });
  }
  return ranges;
}
