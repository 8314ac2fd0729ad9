import { lstatSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RxscribeError } from '../../../base/errors.ts';
import { audioFileNames, audioNameIn } from '../audioNames.ts';
import { GrowingFile, stored } from './growingFile.ts';
import { type CassettePlaces, isWavBeside } from './recordOptions.ts';

/**
 * The files of a cassette that is being written. When a cassette is to be overwritten, they grow in a directory beside
 * it and take its place by `publish`; until then it is unchanged. Only the audio that the old cassette names is removed
 * with it.
 */
export class CassetteFiles {
  readonly #path: string;
  /** Names of the audio files that are removed with the old cassette. */
  readonly #oldAudio: readonly string[];
  readonly #made = new Set<string>();
  #staging: string | undefined;

  /** @throws RxscribeError `store` when another file has one of the names, or the directory cannot be made */
  constructor(places: CassettePlaces) {
    const { path, overwrite = false } = places;
    this.#path = path;
    this.#oldAudio = overwrite ? ownAudio(path).filter(name => kindOf(this.#placeOf(name)) === 'file') : [];
    const replaces = overwrite && kindOf(path) === 'file';
    const replaced = new Set([...(replaces ? [basename(path)] : []), ...this.#oldAudio]);
    const occupied = namesOf(places).find(
      name => !replaced.has(name) && kindOf(this.#placeOf(name)) !== undefined,
    );
    if (occupied !== undefined) {
      const found = this.#placeOf(occupied);
      throw new RxscribeError(
        'store',
        overwrite
          ? `Cannot overwrite '${found}': it is neither a cassette nor its audio. Choose another name.`
          : `Cannot record to '${found}': the file exists already. Choose another name, or overwrite it.`,
      );
    }
    if (replaces) this.#staging = stored(path, () => mkdtempSync(`${path}.new-`));
  }

  /** True while the old cassette is in place. */
  get isStaged(): boolean {
    return this.#staging !== undefined;
  }

  /** Makes a file. @throws RxscribeError `store` */
  make(name = basename(this.#path)): GrowingFile {
    const file = new GrowingFile(this.pathOf(name), this.#placeOf(name));
    this.#made.add(name);
    return file;
  }

  /** Returns the present path of a file. */
  pathOf(name: string): string {
    return this.#staging === undefined ? this.#placeOf(name) : join(this.#staging, name);
  }

  remove(name: string): void {
    stored(this.#placeOf(name), () => rmSync(this.pathOf(name), { force: true }));
    this.#made.delete(name);
  }

  /** Replaces the old files by the new ones. Idempotent. @throws RxscribeError `store` */
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

  /** Removes the new files; the old ones stay. */
  discard(): void {
    for (const name of this.#made) this.remove(name);
    if (this.#staging !== undefined) rmSync(this.#staging, { recursive: true, force: true });
  }

  #placeOf(name: string): string {
    return join(dirname(this.#path), name);
  }
}

/** Returns the names of the files that a recording makes, temporary ones included. */
function namesOf(places: CassettePlaces): readonly string[] {
  const { wav, flac } = audioFileNames(places.path);
  return [
    basename(places.path),
    ...(isWavBeside(places) ? [wav] : []),
    ...(places.container === 'flac' ? [flac] : []),
  ];
}

/**
 * Returns the audio files that a cassette names, if a recording to this path could have made them; any other file may
 * belong to somebody else.
 */
function ownAudio(path: string): readonly string[] {
  const named = audioNameIn(path);
  return Object.values(audioFileNames(path)).filter(name => name === named);
}

/** Returns the kind of a file. A link counts as a file, because the link itself would be replaced. */
function kindOf(path: string): 'file' | 'other' | undefined {
  const stats = stored(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats) return undefined;
  return stats.isFile() || stats.isSymbolicLink() ? 'file' : 'other';
}
