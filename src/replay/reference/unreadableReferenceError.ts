import { RxscribeError } from '../../base/errors.ts';

/** A reference that cannot be read. It says where, what was wanted and what was found, never its text. */
export class UnreadableReferenceError extends RxscribeError {
  /** From 1. Absent: the file as a whole. */
  readonly line?: number;

  constructor(
    { path, line }: { readonly path?: string; readonly line?: number },
    fault: string,
    options?: { cause?: unknown },
  ) {
    const place = [path, line === undefined ? undefined : `line ${line}`].filter(part => part !== undefined);
    const at = place.length > 0 ? ` ${place.join(', ')}` : '';
    super('unreadable-input', `read reference${at}: ${fault}`, options);
    if (line !== undefined) this.line = line;
  }
}
