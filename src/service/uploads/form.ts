import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { messageOf } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { safeFileName } from '../outbound/fileName.ts';
import { invalidParameters, ProblemError } from '../problems.ts';

/** The file of a form. */
export interface UploadedMedia {
  readonly path: string;
  /** Name given by the client; never a path. */
  readonly name?: string;
}

/** The contents of a form. */
export interface Form {
  /** The part with the media; the caller removes the file, unless a job takes it over. */
  readonly media?: UploadedMedia;
  /** The parts with texts, in their order. */
  readonly texts: readonly FormText[];
  /** Names of the parts that were not read. */
  readonly ignoredParts: readonly string[];
}

export interface FormText {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface FormOptions {
  /** Maximum bytes of the whole body, including headers of parts and the text around them. */
  readonly uploadBytes: number;
  /** Name of the part with the media. */
  readonly media: string;
  /** Names of the parts with texts. */
  readonly texts: ReadonlySet<string>;
  /** Maximum bytes of all texts. */
  readonly textBytes: number;
  /** Called for each piece of a text before it is stored. */
  readonly onText: (bytes: number) => void;
  /** Returns a path for the media. */
  readonly openFile: () => Promise<string>;
}

/** Maximum number of parts of a form. */
const MAX_PARTS = 100;

/**
 * Reads a form while it arrives. The media is written to a file, no faster than the disk accepts it; parts that are neither
 * media nor texts are named only. The order of the parts does not matter.
 *
 * @throws ProblemError, after removing the file
 */
export async function readForm(request: FastifyRequest, options: FormOptions): Promise<Form> {
  const form: { media?: UploadedMedia } = {};
  const texts: FormText[] = [];
  const others = new Set<string>();
  const tooLarge = signalPast(options.uploadBytes, request.raw);
  try {
    let room = options.textBytes;
    for await (const part of partsOf(request, tooLarge)) {
      const name = part.fieldname;
      const contents = contentsOf(part, tooLarge);
      if (name === options.media) {
        if (form.media) throw partFault(name, 'must be given once');
        form.media = await readMedia(part, contents, options);
      } else if (options.texts.has(name)) {
        const bytes = await readText(contents, room, options);
        room -= bytes.length;
        texts.push({ name, bytes });
      } else {
        others.add(name);
        await pass(contents);
      }
    }
    return { ...form, texts, ignoredParts: [...others] };
  } catch (error) {
    await removeMedia(form);
    throw error;
  }
}

/** Removes the file of a form, if there is any. */
export async function removeMedia({ media }: Pick<Form, 'media'>): Promise<void> {
  if (media) await rm(media.path, { force: true });
}

/** Returns a signal that is aborted when a body exceeds a number of bytes. */
function signalPast(limitBytes: number, body: Readable): AbortSignal {
  const tooLarge = new AbortController();
  let bytes = 0;
  body.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes > limitBytes) tooLarge.abort(new ProblemError('payloadTooLarge'));
  });
  return tooLarge.signal;
}

/** Yields all parts as streams: a file name or a type says nothing about the contents. */
async function* partsOf(request: FastifyRequest, tooLarge: AbortSignal): AsyncGenerator<MultipartFile> {
  const parts = request.parts({
    isPartAFile: () => true,
    limits: { parts: MAX_PARTS, fileSize: Number.POSITIVE_INFINITY },
  }) as AsyncGenerator<MultipartFile>;
  try {
    for (;;) {
      // The text before the first part and after the last may be endless.
      const { value, done } = await withAbort(parts.next(), tooLarge);
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw malformed(error);
  }
}

async function* contentsOf({ file }: MultipartFile, tooLarge: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of file as AsyncIterable<Uint8Array>) {
      tooLarge.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    throw malformed(error);
  }
}

async function pass(contents: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of contents);
}

async function readMedia(
  { filename }: MultipartFile,
  contents: AsyncIterable<Uint8Array>,
  { openFile }: FormOptions,
): Promise<UploadedMedia> {
  const path = await openFile();
  await spoolFile(path, contents);
  return { path, name: safeFileName(filename ?? '') };
}

async function readText(
  contents: AsyncIterable<Uint8Array>,
  room: number,
  { onText }: FormOptions,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of contents) {
    bytes += piece.length;
    if (bytes > room) throw new ProblemError('payloadTooLarge');
    onText(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the problem of a part of a form. */
export function partFault(name: string, message: string): ProblemError {
  return invalidParameters({ [name]: [message] });
}

function malformed(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) return new ProblemError('payloadTooLarge');
  return partFault('request', `must be a form: ${messageOf(error)}`);
}

/**
 * Writes a stream to a new file that only its owner can read, no faster than the disk accepts it.
 *
 * @throws errors of the stream or the disk, after removing the file
 */
export async function spoolFile(path: string, contents: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of contents) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
