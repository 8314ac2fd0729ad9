import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { isMissingObject, ObjectStoreError } from './objectStoreError.ts';
import type { Objects } from './objects.ts';
import { readS3Place, type S3Place } from './s3Place.ts';
import { isOutOfSpace } from './storeErrors.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** Milliseconds without a byte after which a request fails. */
const IDLE_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
/** Keys that are deleted at the same time. */
const DELETIONS = 8;
/** Region of servers that have none. */
const ANY_REGION = 'us-east-1';

/**
 * Creates objects in a bucket of an S3-compatible server. Credentials and region are those of the environment, as AWS tools
 * read them.
 *
 * Errors of the server and of the connection to it are ObjectStoreErrors.
 *
 * @throws InvalidArgumentError as {@link readS3Place}
 */
export function createS3Objects(place: S3Place, spoolDirectory: string): Objects {
  const { bucket: Bucket, prefix } = readS3Place(place);
  const client = createClient(place);
  const inBucket = (key: string) => [prefix, key].filter(part => part !== '').join('/');
  const at = (key: string) => ({ Bucket, Key: inBucket(key) });

  /** Resolves with the body of an object; undefined when it does not exist. */
  async function open(key: string, Range?: string) {
    try {
      return (await client.send(new GetObjectCommand({ ...at(key), Range }))).Body;
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      throw error;
    }
  }

  /** Yields the pages of a list of the keys below a folder; with a delimiter, of their next parts. */
  async function* list(folder: string, Delimiter?: string): AsyncGenerator<ListObjectsV2CommandOutput> {
    const Prefix = inBucket(folder) && `${inBucket(folder)}/`;
    const pages = paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter });
    for (;;) {
      const { done, value } = await reported(() => pages.next());
      if (done) return;
      yield value;
    }
  }

  return {
    spoolDirectory,
    async put(key, contents) {
      await reported(() => client.send(new PutObjectCommand({ ...at(key), Body: contents })));
    },
    async adopt(key, path) {
      await repeated(() => client.send(new PutObjectCommand({ ...at(key), Body: createReadStream(path) })));
      return path;
    },
    get: key => reported(async () => (await open(key))?.transformToString()),
    fileOf: (key, directory) =>
      reported(async () => {
        const contents = await open(key);
        if (!contents) return undefined;
        const path = join(directory, createId());
        await pipeline(contents as Readable, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
        return path;
      }),
    read: (key, { start, end }) =>
      reported(async () => (await open(key, `bytes=${start}-${end}`)) as Readable | undefined),
    async *names(folder) {
      for await (const { CommonPrefixes = [], Contents = [] } of list(folder, '/')) {
        const found = [...CommonPrefixes.map(({ Prefix }) => Prefix), ...Contents.map(({ Key }) => Key)];
        for (const key of found) yield /([^/]+)\/?$/.exec(key ?? '')?.[1] ?? '';
      }
    },
    async removeAll(folder) {
      const keys: (string | undefined)[] = [];
      for await (const { Contents = [] } of list(folder)) keys.push(...Contents.map(({ Key }) => Key));
      // One by one: some servers want a checksum with lists of keys.
      const remove = (Key: string | undefined) => client.send(new DeleteObjectCommand({ Bucket, Key }));
      for (let first = 0; first < keys.length; first += DELETIONS) {
        await reported(() => Promise.all(keys.slice(first, first + DELETIONS).map(remove)));
      }
    },
  };
}

function createClient({ endpoint }: S3Place): S3Client {
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const isElsewhere = (endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
  const region = AWS_REGION ?? AWS_DEFAULT_REGION ?? (isElsewhere ? ANY_REGION : undefined);
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    // Buckets of other servers have no host names.
    forcePathStyle: isElsewhere,
    // With the defaults, one server stored the checksum as a part of the object, and another one refused it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    // Warnings of the library are for programmers, and errors are reported where they are thrown.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  });
}

/** @throws ObjectStoreError for each error but those of the local disk */
async function reported<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    // During a copy, the local disk may be full.
    if (cause instanceof RxscribeError || isOutOfSpace(cause)) throw cause;
    throw new ObjectStoreError(cause);
  }
}

/** Repeats an upload while the server is unreachable: the client itself cannot repeat what it reads from a stream. */
async function repeated(upload: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await reported(upload);
      return;
    } catch (error) {
      const isUnreachable = error instanceof ObjectStoreError && error.isUnreachable;
      if (!isUnreachable || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
