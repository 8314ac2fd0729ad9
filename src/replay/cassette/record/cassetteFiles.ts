import { lstatSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, RxscribeError } from '../../../base/errors.ts';
import { audioFileNames, audioNameIn } from '../audioNames.ts';
import { GrowingFile } from './growingFile.ts';
import { type CassettePlaces, isWavBeside } from './recordOptions.ts';

/**
 * The files of a cassette that is made. Where one is to be overwritten they grow in a directory beside it, and take its
 * place by `publish`: until then it is as it was. Of other files only audio that it names goes with it.
 */
export class CassetteFiles {
  readonly #path: string;
  /** Names of audio that goes with the old cassette. */
  readonly #oldAudio: readonly string[];
  readonly #made = new Set<string>();
  #staging: string | undefined;

  /** @throws RxscribeError `store` when a file is in the way, or the directory cannot be made */
  constructor(places: CassettePlaces) {
    const { path, overwrite = false } = places;
    this.#path = path;
    this.#oldAudio = overwrite ? ownAudio(path).filter(name => kindOf(this.#placeOf(name)) === 'file') : [];
    const replaces = overwrite && kindOf(path) === 'file';
    const replaced = new Set([...(replaces ? [basename(path)] : []), ...this.#oldAudio]);
    const inTheWay = namesOf(places).find(
      name => !replaced.has(name) && kindOf(this.#placeOf(name)) !== undefined,
    );
    if (inTheWay !== undefined) {
      const found = this.#placeOf(inTheWay);
      throw new RxscribeError(
        'store',
        overwrite
          ? `record: wanted to overwrite a cassette and its audio, found ${found}, which is neither; choose another name`
          : `record: wanted a new file, found ${found}; choose another name, or overwrite it`,
      );
    }
    if (replaces) this.#staging = stored(path, () => mkdtempSync(`${path}.new-`));
  }

  /** Whether what was there is still there. */
  get isStaged(): boolean {
    return this.#staging !== undefined;
  }

  /** Makes a file. @throws RxscribeError `store` */
  make(name = basename(this.#path)): GrowingFile {
    const file = new GrowingFile(this.pathOf(name), this.#placeOf(name));
    this.#made.add(name);
    return file;
  }

  /** Where a file of this name is now. */
  pathOf(name: string): string {
    return this.#staging === undefined ? this.#placeOf(name) : join(this.#staging, name);
  }

  remove(name: string): void {
    stored(this.#placeOf(name), () => rmSync(this.pathOf(name), { force: true }));
    this.#made.delete(name);
  }

  /** What was there goes, and these take its place. Idempotent. @throws RxscribeError `store` */
  publish(): void {
    const staging = this.#staging;
    if (staging === undefined) return;
    stored(this.#path, () => {
      for (const name of this.#made) renameSync(join(staging, name), this.#placeOf(name));
      this.#staging = undefined;
      for (const name of this.#oldAudio) {
        if (!this.#made.has(name)) rmSync(this.#placeOf(name), { force: true });
      }
      rmdirSync(staging);
    });
  }

  /** Leaves nothing of what was made: what was there before stays. */
  discard(): void {
    for (const name of this.#made) this.remove(name);
    if (this.#staging !== undefined) rmSync(this.#staging, { recursive: true, force: true });
  }

  #placeOf(name: string): string {
    return join(dirname(this.#path), name);
  }
}

/** The names that a recording makes, if only for a time. */
function namesOf(places: CassettePlaces): readonly string[] {
  const { wav, flac } = audioFileNames(places.path);
  return [
    basename(places.path),
    ...(isWavBeside(places) ? [wav] : []),
    ...(places.container === 'flac' ? [flac] : []),
  ];
}

/** The audio that a cassette names, where a recording to this path could have made it: in doubt it belongs to others. */
function ownAudio(path: string): readonly string[] {
  const named = audioNameIn(path);
  return Object.values(audioFileNames(path)).filter(name => name === named);
}

/** A link counts as what it is: it would be replaced, not what it leads to. */
function kindOf(path: string): 'file' | 'other' | undefined {
  const stats = stored(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats) return undefined;
  return stats.isFile() || stats.isSymbolicLink() ? 'file' : 'other';
}

function stored<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new RxscribeError('store', `record to ${path}: ${messageOf(cause)}`, { cause });
  }
}
