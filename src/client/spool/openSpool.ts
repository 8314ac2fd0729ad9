import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import { joinRanges } from '../../audio/format/frameRange.ts';
import { RxscribeError, refuseIf } from '../../base/errors.ts';
import { AudioFiles, isAudioFile } from './audioFiles.ts';
import { claimSpool, isOwnerFile } from './claimSpool.ts';
import { checkOwner, damaged, orFileError } from './fileAccess.ts';
import { PartStore, rangeOf } from './partStore.ts';
import { RecordFile, readRecords } from './recordFile.ts';
import { resumeLine } from './resumeLine.ts';
import type { AbandonedSpool, Spool, SpoolNote, SpoolSubject } from './spool.ts';
import { headerRecord, isNote, parseHeader, type SpoolHeader } from './spoolSchema.ts';

export interface OpenSpoolOptions {
  /** Path of the directory, which must not exist yet. */
  readonly path: string;
  readonly subject: SpoolSubject;
  /** Format of the bytes of chunks. */
  readonly format: PcmFormat;
}

/** Name of the file with the subject and the notes. */
const NOTES = 'notes.log';

/**
 * Creates a spool: a directory with the audio and the notes of one source, which only its owner may read.
 *
 * Written data survives the process, even when it is killed. Writes do not wait for the disk, which may take tens of
 * milliseconds each time: a power failure may cost the last seconds. A file of audio is deleted when none of it is needed.
 *
 * @throws InvalidArgumentError when the path exists already
 * @throws RxscribeError `store` when it cannot be written
 * @example
 * const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
 * const subject = { addresses: ['wss://speech.example'], query: { language: 'en' }, marginSeconds: 2 };
 * const spool = openSpool({ path: 'talk.spool', subject, format });
 * spool.store.append({ startFrame: 0, frames: 2, bytes: new Uint8Array(4) });
 * spool.note({ type: 'ended', endFrame: 2 });
 * spool.finish();
 */
export function openSpool({ path, subject, format }: OpenSpoolOptions): Spool {
  refuseIf(
    existsSync(path),
    `Cannot create spool '${path}': the path exists. Finish it with \`${resumeLine(path)}\`, or remove it.`,
  );
  return orFileError(`Cannot create spool '${path}'`, () => {
    mkdirSync(path, { mode: 0o700 });
    let records: RecordFile | undefined;
    try {
      const free = claimSpool(path);
      records = new RecordFile(join(path, NOTES), path);
      records.append(headerRecord({ format, subject }));
      return spoolOf({ path, format, free, records });
    } catch (error) {
      records?.close();
      removeSpool(path);
      throw error;
    }
  });
}

/**
 * Takes over the spool of a process that has ended. Audio is located, not loaded. A record at the end that was cut off when the
 * process was killed is removed.
 *
 * @throws InvalidArgumentError when the path is not a spool, is of a newer version, or is empty
 * @throws RxscribeError `unreadable-input` when it is damaged, cannot be read, or other users may have written it;
 * `invalid-state` while another process uses it
 * @example
 * const spool = readSpool('talk.spool');
 * for (const { startFrame } of spool.audio) spool.store.read(startFrame, 16_000);
 * spool.finish();
 */
export function readSpool(path: string): AbandonedSpool {
  return orFileError(
    `Cannot read spool '${path}'`,
    () => {
      // Before anything is written: it may be something else.
      readNotes(path);
      const free = claimSpool(path);
      try {
        const { format, subject, notes, bytes } = readNotes(path);
        const records = new RecordFile(join(path, NOTES), path, bytes);
        return { path, subject, notes, ...spoolOf({ path, format, free, records }) };
      } catch (error) {
        free();
        throw error;
      }
    },
    'unreadable-input',
  );
}

/** Deletes a spool that no process uses, if it exists. @throws RxscribeError `store` */
export function removeSpool(path: string): void {
  if (!existsSync(path)) return;
  orFileError(`Cannot remove the spool '${path}'`, () => {
    const isOurs = (name: string) => name === NOTES || isAudioFile(name) || isOwnerFile(name);
    // In the order of names, audio first: what is left when the process is killed is still a spool.
    for (const name of readdirSync(path).filter(isOurs).toSorted()) rmSync(join(path, name), { force: true });
    rmdirSync(path);
  });
}

interface SpoolParts {
  readonly path: string;
  readonly format: PcmFormat;
  /** Gives up the spool. */
  readonly free: () => void;
  readonly records: RecordFile;
}

function spoolOf({ path, format, free, records }: SpoolParts) {
  const files = new AudioFiles(path, bytesPerFrame(format));
  const store = new PartStore(format, files);
  let isClosed = false;
  const close = (after: () => void) => {
    if (isClosed) return;
    isClosed = true;
    store.close();
    records.close();
    after();
  };
  return {
    format,
    audio: joinRanges(files.parts.map(rangeOf)),
    store,
    note(note: SpoolNote) {
      const message = `Cannot write to spool '${path}': it is closed.`;
      if (isClosed) throw new RxscribeError('invalid-state', message);
      records.append(note);
    },
    finish: () => close(() => removeSpool(path)),
    close: () => close(free),
  };
}

type Notes = SpoolHeader & { readonly notes: readonly SpoolNote[]; readonly bytes: number };

function readNotes(path: string): Notes {
  const file = join(path, NOTES);
  const isSpool = statSync(path).isDirectory() && existsSync(file);
  if (isSpool) for (const one of [path, file]) checkOwner(one);
  const { values, bytes } = isSpool ? readRecords(file, path) : { values: [], bytes: 0 };
  const [first, ...notes] = values;
  const { format, subject } = parseHeader(first, path);
  const invalid = notes.findIndex(note => !isNote(note));
  if (invalid >= 0) throw damaged(path, `line ${invalid + 2} of its notes`);
  return { format, subject, notes: notes as SpoolNote[], bytes };
}
