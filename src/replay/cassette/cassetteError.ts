import { RxscribeError } from '../../base/errors.ts';

/** The place of a fault in a cassette. */
export interface CassettePlace {
  /** Path as it was given. */
  readonly path: string;
  /** Line number from 1. Absent when the whole file is concerned. */
  readonly line?: number;
}

/**
 * Thrown for a cassette that cannot be read. The message has the place, what was expected and what was found, never the
 * text of a transcript message.
 */
export class CassetteError extends RxscribeError {
  override name = 'CassetteError';
  readonly path: string;
  readonly line?: number;

  constructor({ path, line }: CassettePlace, fault: string, options?: { cause?: unknown }) {
    const place = line === undefined ? `'${path}'` : `'${path}', line ${line}`;
    super('unreadable-input', `Cannot read the cassette ${place}: ${fault}.`, options);
    this.path = path;
    if (line !== undefined) this.line = line;
  }
}
