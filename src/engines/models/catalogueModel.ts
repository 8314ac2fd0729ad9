import type { ModelRole } from '../../base/models.ts';

/** A file of a model: at its own URL, or in the package of the model. */
export interface CatalogueFile {
  /** Name in the directory of the model. */
  readonly name: string;
  /** An https URL. */
  readonly url?: string;
  /** Path in the package of the model. */
  readonly path?: string;
  readonly bytes: number;
  /** Hexadecimal checksum. */
  readonly sha256: string;
}

/** A file with a URL. */
export interface WebFile extends CatalogueFile {
  readonly url: string;
}

/** An npm package with the files of a model. */
export interface CataloguePackage {
  readonly name: string;
  readonly version: string;
  /** Checksum of the archive in npm's form: `sha512-` and Base64. */
  readonly integrity: string;
  /** Size of the archive; a larger one is refused. */
  readonly bytes: number;
}

/** A downloadable model. */
export interface CatalogueModel {
  /** Name of the model and its directory. */
  readonly name: string;
  readonly roles: readonly ModelRole[];
  /** ISO 639 codes; empty when the model is independent of the language. */
  readonly languages: readonly string[];
  /** SPDX identifiers, or the name of the licence. */
  readonly licence: string;
  /** Package of the files. Default: each file has a URL. */
  readonly package?: CataloguePackage;
  readonly files: readonly CatalogueFile[];
}

/** Returns the bytes of all files of a model. */
export function sizeOfModel({ files }: CatalogueModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
