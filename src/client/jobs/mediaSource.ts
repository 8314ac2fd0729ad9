import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';

/** An address that the service fetches from or posts to. */
export interface Address {
  readonly url: string | URL;
  /** Value of the Authorization header that the service sends there; it never shows it again. */
  readonly authorization?: string;
}

/** A file to upload. */
export interface FileSource {
  readonly path: string;
  /** Name that the job shows. Default: that of the file. */
  readonly name?: string;
  /** Media type. Default: by the ending of the name. */
  readonly contentType?: string;
}

/** Bytes to upload. */
export interface DataSource {
  /** Read once, and closed when the upload ends, however it ends. */
  readonly data: AsyncIterable<Uint8Array> | Blob | Uint8Array;
  /** Name that the job shows. */
  readonly name: string;
  /** How many bytes a stream has. Default: the upload is sent without a length. */
  readonly size?: number;
  /** Media type. Default: by the ending of the name. */
  readonly contentType?: string;
}

/** Where media comes from: an address that the service fetches from, or an upload. */
export type MediaSource = Address | FileSource | DataSource;

/** Media that is ready to be uploaded. */
export interface Upload {
  readonly name: string;
  readonly contentType: string;
  /** Bytes; absent when that is known only at the end. */
  readonly size?: number;
  readonly stream: Readable;
}

/** Bytes read from a file at once. */
const READ_BYTES = 256 * 1024;

/** Media types by the ending of a name. */
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
 * Opens what is to be uploaded.
 *
 * @throws RxscribeError `audio-missing` when there is no such file
 * @throws InvalidArgumentError for a media type that cannot be one
 */
export async function openUpload(source: FileSource | DataSource): Promise<Upload> {
  const name = source.name ?? basename((source as FileSource).path);
  const contentType = source.contentType ?? contentTypeOf(name, source);
  if (!/^[\x20-\x7e]+$/.test(contentType)) {
    throw new InvalidArgumentError('upload media: wanted a media type, found other characters');
  }
  const opened = 'path' in source ? await openFile(source) : openData(source);
  // It may fail before it is read; the reading sees it later.
  opened.stream.on('error', () => {});
  return { name, contentType, ...opened };
}

type Opened = Pick<Upload, 'size' | 'stream'>;

async function openFile({ path }: FileSource): Promise<Opened> {
  const missing = (found: string, cause?: unknown) =>
    new RxscribeError('audio-missing', `read media file: ${found}`, { cause });
  const stats = await stat(path).catch(error => {
    throw missing(messageOf(error), error);
  });
  if (stats.isDirectory()) throw missing(`wanted a file, found the directory ${path}`);
  return {
    // A pipe has none.
    ...(stats.isFile() && { size: stats.size }),
    stream: createReadStream(path, { highWaterMark: READ_BYTES }),
  };
}

function openData({ data, size }: DataSource): Opened {
  const known = sizeOf(data) ?? size;
  return { ...(known !== undefined && { size: known }), stream: streamOf(data) };
}

function sizeOf(data: DataSource['data']): number | undefined {
  if (data instanceof Blob) return data.size;
  return data instanceof Uint8Array ? data.length : undefined;
}

function streamOf(data: DataSource['data']): Readable {
  if (data instanceof Readable) return data;
  if (data instanceof Blob) return Readable.fromWeb(data.stream());
  // An array of bytes is iterable, byte by byte.
  return Readable.from(data instanceof Uint8Array ? [data] : data);
}

function contentTypeOf(name: string, source: FileSource | DataSource): string {
  if ('data' in source && source.data instanceof Blob && source.data.type) return source.data.type;
  return CONTENT_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
}
