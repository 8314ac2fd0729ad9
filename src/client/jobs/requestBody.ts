import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { Upload } from './mediaSource.ts';

/** What a request carries. */
export interface RequestBody {
  readonly contentType: string;
  /** Bytes in all; absent when that is known only at the end. */
  readonly length?: number;
  /** To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends what the chunks come from, also while they are waited for. */
  close(): void;
}

/** A value as JSON. */
export function jsonBody(value: object): RequestBody {
  return textBody(JSON.stringify(value), 'application/json');
}

export function textBody(text: string, contentType: string): RequestBody {
  const bytes = Buffer.from(text);
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

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes of media that the connection has taken. */
  readonly sentBytes: number;
  /** Absent when it is known only at the end. */
  readonly totalBytes?: number;
}

const EOL = '\r\n';

/**
 * An upload as `multipart/form-data`: the options first, so that a service can refuse before the media arrives, then the
 * media, piece by piece as the connection takes it.
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
      onProgress({ sentBytes, ...(upload.size !== undefined && { totalBytes: upload.size }) });
    }
    yield after;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    ...(upload.size !== undefined && { length: before.length + upload.size + after.length }),
    chunks: chunks(),
    close: () => void upload.stream.destroy(),
  };
}

/** As browsers write the names of files: HTML, section 4.10.21.8. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** The pieces of an upload; an error unless they are as many bytes as it said. */
async function* mediaOf({ stream, size }: Upload): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) {
        throw new InvalidArgumentError(`upload media: wanted bytes, found a ${typeof chunk}`);
      }
      bytes += chunk.length;
      if (size !== undefined && bytes > size) break;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RxscribeError) throw error;
    throw new RxscribeError('audio-missing', `upload media: ${messageOf(error)}`, { cause: error });
  }
  if (size !== undefined && bytes !== size) {
    // The length has been announced: a file that is being written to cannot be sent.
    const found = bytes > size ? 'more' : `${bytes}`;
    throw new RxscribeError('audio-corrupt', `upload media: wanted ${size} bytes, found ${found}`);
  }
}
