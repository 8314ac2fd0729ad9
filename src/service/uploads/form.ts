import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { messageOf } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { refuseCrowded } from '../http/refuseCrowded.ts';
import { safeFileName } from '../outbound/fileName.ts';
import { ProblemError, parameterFaults } from '../problems.ts';

/** A file that came with a form. */
export interface UploadedMedia {
  readonly path: string;
  /** As the client calls it; never a path. */
  readonly name?: string;
}

/** What a form brought. */
export interface Form {
  /** The part `options`, as JSON. */
  readonly options?: unknown;
  readonly optionsBytes?: number;
  /** The part `media`; whoever reads the form removes the file, unless a job takes it over. */
  readonly media?: UploadedMedia;
}

export interface FormOptions {
  /** Bytes of the whole body: parts with their headers, and what stands before, between and after them. */
  readonly uploadBytes: number;
  /** Bytes of the options. */
  readonly optionsBytes: number;
  /** Called for each piece of the options before it is kept in memory. */
  readonly onOptions: (bytes: number) => void;
  /** A path for the media. */
  readonly openFile: () => Promise<string>;
}

/** Parts of one form; what has more of them is no upload. */
const MAX_PARTS = 100;

/**
 * Reads a form while it arrives: the media goes to a file, no faster than the disk takes it; parts of other names are
 * passed over. The parts come in any order.
 *
 * @throws ProblemError; nothing is left of the file then
 */
export async function readForm(request: FastifyRequest, options: FormOptions): Promise<Form> {
  const form: { options?: unknown; optionsBytes?: number; media?: UploadedMedia } = {};
  const tooLarge = signalPast(options.uploadBytes, request.raw);
  try {
    for await (const part of partsOf(request, tooLarge)) {
      const name = part.fieldname;
      const contents = contentsOf(part, tooLarge);
      if (name !== 'media' && name !== 'options') await pass(contents);
      else if (Object.hasOwn(form, name)) throw fault(name, 'must be given once');
      else if (name === 'media') form.media = await readMedia(part, contents, options);
      else Object.assign(form, await readOptions(contents, options));
    }
    return form;
  } catch (error) {
    await removeMedia(form);
    throw error;
  }
}

/** Removes the file of a form; harmless when there is none, or not any more. */
export async function removeMedia({ media }: Form): Promise<void> {
  if (media) await rm(media.path, { force: true });
}

/** Aborted when more bytes than the limit have come of a body. */
function signalPast(limitBytes: number, body: Readable): AbortSignal {
  const tooLarge = new AbortController();
  let bytes = 0;
  body.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes > limitBytes) tooLarge.abort(new ProblemError('payloadTooLarge'));
  });
  return tooLarge.signal;
}

/** Every part as a stream: whether it is called a file or has a type says nothing about what it is. */
async function* partsOf(request: FastifyRequest, tooLarge: AbortSignal): AsyncGenerator<MultipartFile> {
  const parts = request.parts({
    isPartAFile: () => true,
    limits: { parts: MAX_PARTS, fileSize: Number.POSITIVE_INFINITY },
  }) as AsyncGenerator<MultipartFile>;
  try {
    for (;;) {
      // Text before the first part and after the last may be without end.
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

async function readOptions(
  contents: AsyncIterable<Uint8Array>,
  { optionsBytes, onOptions }: FormOptions,
): Promise<Pick<Form, 'options' | 'optionsBytes'>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of contents) {
    bytes += piece.length;
    if (bytes > optionsBytes) throw new ProblemError('payloadTooLarge');
    onOptions(piece.length);
    pieces.push(piece);
  }
  const json = Buffer.concat(pieces);
  refuseCrowded(json);
  try {
    const options = bytes === 0 ? {} : JSON.parse(json.toString());
    return { options, optionsBytes: bytes };
  } catch {
    // The parser's own message quotes the text.
    throw fault('options', 'must be JSON');
  }
}

function fault(name: string, message: string): ProblemError {
  return new ProblemError('invalidParameters', parameterFaults({ [name]: [message] }));
}

function malformed(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) return new ProblemError('payloadTooLarge');
  return fault('request', `must be a form: ${messageOf(error)}`);
}

/**
 * Writes a stream to a new file that only its owner can read, no faster than the disk takes it.
 *
 * @throws what the stream or the disk throws; nothing is left of the file then
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
