import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { messageOf } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { refuseComplexJson } from '../http/refuseComplexJson.ts';
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
  /** The part `options` or else `config`, parsed. */
  readonly options?: unknown;
  readonly optionsBytes?: number;
  /** The part `media`; the caller removes the file, unless a job takes it over. */
  readonly media?: UploadedMedia;
  /** Names of the parts that were not read. */
  readonly ignoredParts: readonly string[];
}

export interface FormOptions {
  /** Maximum bytes of the whole body, including headers of parts and the text around them. */
  readonly uploadBytes: number;
  /** Maximum bytes of the options. */
  readonly optionsBytes: number;
  /** Called for each piece of the options before it is stored. */
  readonly onOptions: (bytes: number) => void;
  /** Returns a path for the media. */
  readonly openFile: () => Promise<string>;
}

/** Maximum number of parts of a form. */
const MAX_PARTS = 100;
/** Names of the part with the options; the first that a form has is read. A public client sends the second. */
const OPTIONS_PARTS = ['options', 'config'];

/**
 * Reads a form while it arrives. The media is written to a file, no faster than the disk accepts it; other parts are
 * named only. The order of the parts does not matter.
 *
 * @throws ProblemError, after removing the file
 */
export async function readForm(request: FastifyRequest, options: FormOptions): Promise<Form> {
  const form: { media?: UploadedMedia } = {};
  const texts = new Map<string, Buffer>();
  const others = new Set<string>();
  const tooLarge = signalPast(options.uploadBytes, request.raw);
  try {
    for await (const part of partsOf(request, tooLarge)) {
      const name = part.fieldname;
      const contents = contentsOf(part, tooLarge);
      if (name === 'media' ? form.media : texts.has(name)) throw fault(name, 'must be given once');
      if (name === 'media') form.media = await readMedia(part, contents, options);
      else if (OPTIONS_PARTS.includes(name)) texts.set(name, await readText(contents, options));
      else {
        others.add(name);
        await pass(contents);
      }
    }
    const found = OPTIONS_PARTS.map(name => ({ name, json: texts.get(name) }));
    const [given, ...unread] = found.filter(({ json }) => json !== undefined);
    return {
      ...form,
      ...(given?.json && (await parseOptions(given.name, given.json))),
      ignoredParts: [...unread.map(({ name }) => name), ...others],
    };
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
  { optionsBytes, onOptions }: FormOptions,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of contents) {
    bytes += piece.length;
    if (bytes > optionsBytes) throw new ProblemError('payloadTooLarge');
    onOptions(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function parseOptions(name: string, json: Buffer): Promise<Pick<Form, 'options' | 'optionsBytes'>> {
  await refuseComplexJson(json);
  const options = json.length === 0 ? {} : jsonOf(json.toString());
  if (options === undefined) throw fault(name, 'must be JSON');
  return { options, optionsBytes: json.length };
}

function fault(name: string, message: string): ProblemError {
  return invalidParameters({ [name]: [message] });
}

function malformed(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if ((error as { statusCode?: number }).statusCode === 413) return new ProblemError('payloadTooLarge');
  return fault('request', `must be a form: ${messageOf(error)}`);
}

/**
 * Writes a stream to a new file that only its owner can read, no faster than the disk accepts it.
 *
 * @throws errors of the stream or the disk, after removing the file
 */
async function spoolFile(path: string, contents: AsyncIterable<Uint8Array>): Promise<void> {
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
