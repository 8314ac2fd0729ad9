import { rmSync } from 'node:fs';
import { endOf, type Page, type Pages } from './pages.ts';
import { encodeAudio } from './spoolAudio.ts';
import { SpoolLog, type SpoolLogOptions } from './spoolLog.ts';

/** What of a spool is needed. */
export interface NeededRecords {
  readonly pages: Pages;
  readonly bytesOf: (page: Page) => Uint8Array;
  /** Offsets of records that are copied as they are. */
  readonly kept: readonly number[];
}

export interface RewrittenLog {
  readonly log: SpoolLog;
  /** Offsets as before, in the new file. */
  readonly kept: readonly number[];
}

/** Where a file is written that is to take the place of another. */
export function rewritePath(path: string): string {
  return `${path}.rewrite`;
}

/**
 * Writes what is needed into a new file, which then takes the place of the old one at once: whenever the process is
 * killed, one of them is there and whole. Without waiting for the disk a loss of power could cost both.
 */
export function rewriteLog(
  old: SpoolLog,
  { pages, bytesOf, kept }: NeededRecords,
  options: SpoolLogOptions,
): RewrittenLog {
  const path = rewritePath(options.path);
  rmSync(path, { force: true });
  const log = SpoolLog.create(old.header, { ...options, path });
  try {
    const keptNow = kept.map(offset => {
      const { type, payload } = old.at(offset);
      return log.append(type, payload);
    });
    const places = pages.list.map(page =>
      log.append('audio', encodeAudio({ ...page, bytes: bytesOf(page) })),
    );
    // How far the source has come, whatever of it is needed.
    const last = pages.list.at(-1);
    if (!last || endOf(last) < pages.headFrame) {
      log.append('audio', encodeAudio({ startFrame: pages.headFrame, bytes: new Uint8Array() }));
    }
    log.sync();
    log.moveTo(options.path);
    pages.list.forEach((page, index) => {
      pages.move(page, places[index]!);
    });
    return { log, kept: keptNow };
  } catch (error) {
    log.close();
    rmSync(path, { force: true });
    throw error;
  }
}
