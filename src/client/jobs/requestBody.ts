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
