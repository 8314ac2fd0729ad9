import type { ModelRole } from '../../base/models.ts';

/** One file of a model that can be fetched: by its own address, or out of the model's package. */
export interface CatalogueFile {
  /** In the directory of the model. */
  readonly name: string;
  /** An https address. */
  readonly url?: string;
  /** In the package of the model. */
  readonly path?: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** A file that has an address. */
export interface WebFile extends CatalogueFile {
  readonly url: string;
}

/** A package of an npm registry that holds the files of a model. */
export interface CataloguePackage {
  readonly name: string;
  readonly version: string;
  /** Checksum of its archive, as npm writes it: `sha512-` and Base64. */
  readonly integrity: string;
  /** Size of its archive. */
  readonly bytes: number;
}

/** A model that can be fetched. */
export interface CatalogueModel {
  /** Also of its directory. */
  readonly name: string;
  readonly roles: readonly ModelRole[];
  /** ISO 639 codes; empty where the language does not matter. */
  readonly languages: readonly string[];
  /** SPDX identifiers, or the licence's own name. */
  readonly licence: string;
  /** Where its files are, unless each has its own address. */
  readonly package?: CataloguePackage;
  readonly files: readonly CatalogueFile[];
}

/** Returns all bytes of its files. */
export function sizeOfModel({ files }: CatalogueModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
