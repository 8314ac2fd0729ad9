/** One part of a form as text, so that tests can write forms that no client writes. */
export interface Part {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly filename?: string;
  readonly type?: string;
}

const BOUNDARY = 'a-boundary-of-tests';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part without its end. */
export function partHead({ name, filename, type }: Omit<Part, 'body'>): string {
  const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`;
  return [
    `--${BOUNDARY}`,
    `Content-Disposition: ${disposition}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    '',
  ].join('\r\n');
}

export const FORM_END = `\r\n--${BOUNDARY}--\r\n`;

/** The body of a form. */
export function formBody(parts: readonly Part[], end = FORM_END): Uint8Array<ArrayBuffer> {
  const pieces = parts.map((part, index) =>
    Buffer.concat([Buffer.from((index > 0 ? '\r\n' : '') + partHead(part)), Buffer.from(part.body)]),
  );
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(end)]));
}
