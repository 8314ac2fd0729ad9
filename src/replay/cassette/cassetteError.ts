import { RxscribeError } from '../../base/errors.ts';

/** Where in a cassette something is wrong. */
export interface CassettePlace {
  /** As it was given. */
  readonly path: string;
  /** From 1. Absent: the file as a whole. */
  readonly line?: number;
  /** What the file was read as. Default `cassette`. */
  readonly kind?: string;
}

/** A cassette that cannot be read. It says where, what was wanted and what was found, never the text of a message. */
export class CassetteError extends RxscribeError {
  readonly path: string;
  readonly line?: number;

  constructor(
    { path, line, kind = 'cassette' }: CassettePlace,
    fault: string,
    options?: { cause?: unknown },
  ) {
    const place = line === undefined ? path : `${path}, line ${line}`;
    super('unreadable-input', `read ${kind} ${place}: ${fault}`, options);
    this.path = path;
    if (line !== undefined) this.line = line;
  }
}
