import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { RxscribeError } from '../../base/errors.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';

/**
 * A file of an export. An export has, in this order: the manifest, the objects, the rows of each table as JSON lines, and
 * the checksums of all of them in the format of `sha256sum`.
 */
export interface Part {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** To be read once, and to its end before the next part. */
  readonly contents: AsyncIterable<Uint8Array>;
  /** SHA-256 of the contents in hexadecimal, where it is known before they are read. */
  readonly sha256?: string;
  /** Fraction of the export before it, where that is known. */
  readonly fraction?: number;
}

export const MANIFEST_PATH = 'manifest.json';
/** The last part: an export without it is incomplete. */
export const CHECKSUMS_PATH = 'SHA256SUMS';

/** Tables with the state of a service, in the order of their references, with their keys. */
export const STATE_TABLES = {
  accounts: 'id',
  tokens: 'hash',
  jobs: 'id',
  removed_jobs: 'id',
  deliveries: 'id',
  desk_users: 'name',
  desk_drafts: 'job_id',
  desk_blocks: 'id',
  desk_events: 'id',
  desk_proposals: 'id',
  learned_phrases: 'id',
} as const;

export type StateTable = keyof typeof STATE_TABLES;

export const STATE_TABLE_NAMES = Object.keys(STATE_TABLES) as readonly StateTable[];

export const tablePath = (table: StateTable) => `${table}.jsonl`;

const OBJECTS = 'objects/';
/** Keys as in jobs/jobObjects.ts. A name never begins with a dot. */
const OBJECT_KEY = /^(?:jobs\/[\w-]{1,64}\/[\w-]{1,64}|submitted\/[\w-]{1,64})\/[\w-][\w.-]{0,99}$/;

export const objectPath = (key: string) => `${OBJECTS}${key}`;

export const isObjectKey = (key: string) => OBJECT_KEY.test(key);

/** Returns the key of the object at a path; undefined for other parts, and for keys that a service does not use. */
export function keyAt(path: string): string | undefined {
  const key = path.startsWith(OBJECTS) ? path.slice(OBJECTS.length) : '';
  return isObjectKey(key) ? key : undefined;
}

/** Returns the table at a path; undefined for other parts. */
export function tableAt(path: string): StateTable | undefined {
  return STATE_TABLE_NAMES.find(table => tablePath(table) === path);
}

/** @throws RxscribeError `unreadable-input` for a path that no export has */
export function checkPath(path: string): void {
  const isKnown = path === MANIFEST_PATH || path === CHECKSUMS_PATH || tableAt(path) || keyAt(path);
  if (!isKnown) throw damaged(`it has an unknown file '${path}'`);
}

const FORMAT = 'rxscribe-export';
/** Version of the format; another one cannot be read. */
const FORMAT_VERSION = 1;

export interface Manifest {
  /** Release that wrote the export. */
  readonly release: string;
  readonly createdOn: Date;
  /** Names of the migrations of the database, in their order. */
  readonly migrations: readonly string[];
}

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer(),
  release: Type.String({ maxLength: 64 }),
  created_on: Type.String({ maxLength: 64 }),
  migrations: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10_000 }),
});

export function writeManifest({ release, createdOn, migrations }: Manifest): string {
  const manifest: Static<typeof ManifestSchema> = {
    format: FORMAT,
    version: FORMAT_VERSION,
    release,
    created_on: createdOn.toISOString(),
    migrations: [...migrations],
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** @throws RxscribeError `unreadable-input` for something else, or a newer format */
export function readManifest(text: string): Manifest {
  const manifest = jsonOf(text);
  if (!Value.Check(ManifestSchema, manifest) || Number.isNaN(Date.parse(manifest.created_on))) {
    throw damaged(`'${MANIFEST_PATH}' is not that of an export`);
  }
  if (manifest.version !== FORMAT_VERSION) {
    throw new RxscribeError(
      'unreadable-input',
      `The export has the format ${manifest.version} of release ${manifest.release}, which this release cannot read ` +
        `(known: ${FORMAT_VERSION}). Use a later release.`,
    );
  }
  const { release, created_on, migrations } = manifest;
  return { release, createdOn: new Date(created_on), migrations };
}

/** Returns the error for an export that cannot be used as it is. */
export function damaged(problem: string, cause?: unknown): RxscribeError {
  return new RxscribeError('unreadable-input', `The export cannot be used: ${problem}.`, { cause });
}

/** Returns the error for an export whose writing was interrupted. */
export function incomplete(): RxscribeError {
  return damaged(`it is incomplete, as '${CHECKSUMS_PATH}' is missing. Make another export`);
}
