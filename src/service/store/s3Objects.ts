import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Disk, type DriveFile } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
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
/** Keys to delete at the same time. */
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
  const { bucket, prefix } = readS3Place(place);
  const client = createClient(place);
  const disk = new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }));
  const inBucket = (key: string) => [prefix, key].filter(part => part !== '').join('/');
  return {
    spoolDirectory,
    put: (key, contents) => reported(() => disk.put(inBucket(key), contents)),
    async adopt(key, path) {
      await upload(disk, inBucket(key), path);
      return path;
    },
    get: key => reported(() => unlessMissing(disk.get(inBucket(key)))),
    fileOf: (key, directory) =>
      reported(async () => {
        const contents = await unlessMissing(disk.getStream(inBucket(key)));
        if (!contents) return undefined;
        const path = join(directory, createId());
        await pipeline(contents, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
        return path;
      }),
    read: (key, { start, end }) =>
      reported(async () => {
        const part = { Bucket: bucket, Key: inBucket(key), Range: `bytes=${start}-${end}` };
        const found = await unlessMissing(client.send(new GetObjectCommand(part)));
        return found?.Body as Readable | undefined;
      }),
    async *names(folder) {
      for await (const found of list(disk, inBucket(folder), { recursive: false })) yield found.name;
    },
    async removeAll(folder) {
      // One by one: some servers want a checksum with lists of keys that the driver does not send.
      const keys: string[] = [];
      for await (const { key } of filesBelow(disk, inBucket(folder))) keys.push(key);
      for (let at = 0; at < keys.length; at += DELETIONS) {
        await reported(() => Promise.all(keys.slice(at, at + DELETIONS).map(key => disk.delete(key))));
      }
    },
  };
}

/** Uploads a file. The client itself cannot repeat what it reads from a stream. */
async function upload(disk: Disk, key: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await reported(() => disk.putStream(key, createReadStream(path)));
    } catch (error) {
      const isUnreachable = error instanceof ObjectStoreError && error.isUnreachable;
      if (!isUnreachable || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function* filesBelow(disk: Disk, folder: string): AsyncGenerator<DriveFile> {
  for await (const found of list(disk, folder, { recursive: true })) {
    // The server compares beginnings of keys, not folders.
    if (found.isFile && found.key.startsWith(`${folder}/`)) yield found;
  }
}

async function* list(disk: Disk, folder: string, { recursive }: { readonly recursive: boolean }) {
  let paginationToken: string | undefined;
  do {
    const page = await reported(() => disk.listAll(folder, { recursive, paginationToken }));
    yield* page.objects;
    paginationToken = page.paginationToken;
  } while (paginationToken !== undefined);
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
    // Its warnings concern those who write programs, and errors are reported where they are thrown.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  });
}

/** Resolves with undefined for an object that does not exist. */
async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isMissingObject(error)) return undefined;
    throw error;
  }
}

/** @throws ObjectStoreError for each error but those of the local disk */
async function reported<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    // A copy may find the local disk full.
    if (cause instanceof RxscribeError || isOutOfSpace(cause)) throw cause;
    throw new ObjectStoreError(cause);
  }
}
