import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';

/** An address from which the service fetches, or to which it posts. */
export interface Address {
  readonly url: string | URL;
  /** Value of the Authorization header that the service sends to this address; never returned. */
  readonly authorization?: string;
}

/** A file to upload. */
export interface FileSource {
  readonly path: string;
  /** Name of the media in the job. Default: the name of the file. */
  readonly name?: string;
  /** Media type. Default: by the extension of the name. */
  readonly contentType?: string;
}

/** Bytes to upload. */
export interface DataSource {
  /** Data that is read once, and closed at the end of the upload, also after an error. */
  readonly data: AsyncIterable<Uint8Array> | Blob | Uint8Array;
  /** Name of the media in the job. */
  readonly name: string;
  /** Bytes in a stream. Default: the upload is sent without a length. */
  readonly size?: number;
  /** Media type. Default: by the extension of the name. */
  readonly contentType?: string;
}

/** Media of a job: an address from which the service fetches it, or an upload. */
export type MediaSource = Address | FileSource | DataSource;

/** Opened media. */
export interface Upload {
  readonly name: string;
  readonly contentType: string;
  /** Bytes; absent when unknown. */
  readonly size?: number;
  readonly stream: Readable;
}

/** Bytes of one read from a file. */
const READ_BYTES = 256 * 1024;

/** Media types by file extension. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.aac': 'audio/aac',
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
};

/**
 * Opens media for an upload.
 *
 * @throws RxscribeError `audio-missing` when there is no such file
 * @throws InvalidArgumentError for an invalid media type
 */
export async function openUpload(source: FileSource | DataSource): Promise<Upload> {
  const name = source.name ?? basename((source as FileSource).path);
  const contentType = source.contentType ?? contentTypeOf(name, source);
  if (!/^[\x20-\x7e]+$/.test(contentType)) {
    throw new InvalidArgumentError("Option 'contentType' must consist of printable ASCII characters.");
  }
  const opened = 'path' in source ? await openFile(source) : openData(source);
  // The stream may fail before it is read; reading throws the error later.
  opened.stream.on('error', () => {});
  return { name, contentType, ...opened };
}

type Opened = Pick<Upload, 'size' | 'stream'>;

async function openFile({ path }: FileSource): Promise<Opened> {
  const missing = (problem: string, cause?: unknown) =>
    new RxscribeError('audio-missing', `Cannot read '${path}': ${problem}.`, { cause });
  const stats = await stat(path).catch(error => {
    throw missing(error.code === 'ENOENT' ? 'there is no such file' : reasonOf(error), error);
  });
  if (stats.isDirectory()) throw missing('it is a directory');
  return {
    // A pipe has no size.
    size: stats.isFile() ? stats.size : undefined,
    stream: createReadStream(path, { highWaterMark: READ_BYTES }),
  };
}

function openData({ data, size }: DataSource): Opened {
  return { size: sizeOf(data) ?? size, stream: streamOf(data) };
}

function sizeOf(data: DataSource['data']): number | undefined {
  if (data instanceof Blob) return data.size;
  return data instanceof Uint8Array ? data.length : undefined;
}

function streamOf(data: DataSource['data']): Readable {
  if (data instanceof Readable) return data;
  if (data instanceof Blob) return Readable.fromWeb(data.stream());
  // A Uint8Array would be iterated byte by byte.
  return Readable.from(data instanceof Uint8Array ? [data] : data);
}

function contentTypeOf(name: string, source: FileSource | DataSource): string {
  if ('data' in source && source.data instanceof Blob && source.data.type) return source.data.type;
  return CONTENT_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
}
