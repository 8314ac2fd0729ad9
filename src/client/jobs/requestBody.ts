import type { Static, TObject } from 'typebox';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { refuseMisspelt } from '../../base/namedOptions.ts';
import { type Camel, camelName, toWire } from '../../protocol/wireNames.ts';
import type { Upload } from './mediaSource.ts';

/** The body of a request. */
export interface RequestBody {
  readonly contentType: string;
  /** Total bytes; absent when unknown. */
  readonly length?: number;
  /** The data, which can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the source of the data, even during a pending read. */
  close(): void;
}

/** Creates a body of JSON. */
export function jsonBody(value: object): RequestBody {
  return contentBody(JSON.stringify(value), 'application/json');
}

/** Creates a body of text in UTF-8, or of bytes. */
export function contentBody(content: string | Uint8Array, contentType: string): RequestBody {
  const bytes = Buffer.from(content);
  return {
    contentType,
    length: bytes.length,
    chunks: once(bytes),
    close: () => {},
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Progress of an upload. */
export interface UploadProgress {
  /** Bytes of media accepted by the connection. */
  readonly sentBytes: number;
  /** Total bytes of media; absent when unknown. */
  readonly totalBytes?: number;
}

const EOL = '\r\n';

/**
 * Creates a body of `multipart/form-data`: first the options, so that a service can reject them before the media, then the media,
 * at the speed of the connection.
 */
export function multipartBody(
  options: object,
  upload: Upload,
  onProgress: (progress: UploadProgress) => void = () => {},
): RequestBody {
  const boundary = `rxscribe${createId(24)}`;
  const before = Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="options"',
      'Content-Type: application/json',
      '',
      JSON.stringify(options),
      `--${boundary}`,
      `Content-Disposition: form-data; name="media"; filename="${quoted(upload.name)}"`,
      `Content-Type: ${upload.contentType}`,
      EOL,
    ].join(EOL),
  );
  const after = Buffer.from(`${EOL}--${boundary}--${EOL}`);

  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield before;
    let sentBytes = 0;
    for await (const chunk of mediaOf(upload)) {
      yield chunk;
      sentBytes += chunk.length;
      onProgress({ sentBytes, totalBytes: upload.size });
    }
    yield after;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: upload.size === undefined ? undefined : before.length + upload.size + after.length,
    chunks: chunks(),
    close: () => void upload.stream.destroy(),
  };
}

/** Escapes a file name like browsers do (HTML, section 4.10.21.8). */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** Yields the data of an upload. @throws RxscribeError `audio-corrupt` unless it has the announced size */
async function* mediaOf({ stream, size }: Upload): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) {
        throw new InvalidArgumentError(`Media to upload must be bytes, not a ${typeof chunk}.`);
      }
      bytes += chunk.length;
      if (size !== undefined && bytes > size) break;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RxscribeError) throw error;
    throw new RxscribeError('audio-missing', `Cannot upload media: ${reasonOf(error)}.`, { cause: error });
  }
  if (size !== undefined && bytes !== size) {
    // The length was announced, so a file that is still being written cannot be sent.
    const found = bytes > size ? `more than ${size}` : `only ${bytes} of ${size}`;
    throw new RxscribeError('audio-corrupt', `Cannot upload media: it has ${found} bytes.`);
  }
}

/** Returns the fields of a request as on the wire. @throws InvalidArgumentError for a misspelt name */
export function checkedFields<Schema extends TObject>(
  schema: Schema,
  fields: Camel<Static<Schema>>,
): Static<Schema> {
  refuseMisspelt(Object.keys(fields), Object.keys(schema.properties).map(camelName));
  return toWire(schema, fields);
}
