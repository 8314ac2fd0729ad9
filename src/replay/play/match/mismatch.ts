import { RxscribeError } from '../../../base/errors.ts';

/** A difference between a client and the recorded one. `connection` counts from 0. */
export type Mismatch =
  | QueryMismatch
  | AudioMismatch
  /** The audio is shorter or longer, in seconds. */
  | (OnConnection & {
      readonly kind: 'length';
      readonly recordedSeconds: number;
      readonly foundSeconds: number;
    })
  /** The end of the stream (`EOS`) was recorded and did not come, or the other way round. */
  | (OnConnection & { readonly kind: 'end'; readonly recorded: boolean })
  /** A text frame of so many characters that was not recorded. The text is not kept. */
  | (OnConnection & { readonly kind: 'text'; readonly length: number })
  | ConnectionsMismatch;

interface OnConnection {
  readonly connection: number;
}

export interface QueryMismatch extends OnConnection {
  readonly kind: 'query';
  /** Differing parameters; a value is undefined when the parameter was absent. */
  readonly parameters: readonly {
    readonly name: string;
    readonly recorded?: string;
    readonly found?: string;
  }[];
}

export interface AudioMismatch extends OnConnection {
  readonly kind: 'audio';
  /** First differing frame of the audio of the connection. */
  readonly frame: number;
  /** Time of that frame on the connection. */
  readonly seconds: number;
  /** Number of differing frames so far. */
  readonly frames: number;
}

/** More connections than faults explain, or fewer than were recorded. */
interface ConnectionsMismatch {
  readonly kind: 'connections';
  readonly recorded: number;
  readonly found: number;
}

/** Thrown when a client differs from the recorded one; `mismatches` has the differences. */
export class CassetteMismatchError extends RxscribeError {
  override name = 'CassetteMismatchError';
  readonly mismatches: readonly Mismatch[];

  constructor(mismatches: readonly Mismatch[]) {
    super('invalid-state', `The session differs from the cassette:\n${describeMismatches(mismatches)}`);
    this.mismatches = mismatches;
  }
}

/**
 * Formats differences for people, with one or more lines each.
 *
 * @example
 * describeMismatches([{ kind: 'length', connection: 0, recordedSeconds: 30, foundSeconds: 29.9 }])
 * // 'connection 0: audio of 30 s recorded, found 29.9 s'
 */
export function describeMismatches(mismatches: readonly Mismatch[]): string {
  return mismatches.map(describe).join('\n');
}

function describe(mismatch: Mismatch): string {
  if (mismatch.kind === 'connections') {
    return `${mismatch.recorded} connections recorded, found ${mismatch.found}`;
  }
  return `connection ${mismatch.connection}: ${onConnection(mismatch)}`;
}

function onConnection(mismatch: Exclude<Mismatch, ConnectionsMismatch>): string {
  switch (mismatch.kind) {
    case 'query':
      return ['query', ...mismatch.parameters.map(parameterLine)].join('\n  ');
    case 'audio': {
      const { frame, seconds, frames } = mismatch;
      return `audio differs from frame ${frame} (${round(seconds)} s) on, in ${frames} frames`;
    }
    case 'length':
      return `audio of ${round(mismatch.recordedSeconds)} s recorded, found ${round(mismatch.foundSeconds)} s`;
    case 'end':
      return mismatch.recorded ? 'EOS recorded, found none' : 'no EOS recorded, found one';
    case 'text':
      return `a text frame of ${mismatch.length} characters that was not recorded`;
  }
}

function parameterLine({ name, recorded, found }: QueryMismatch['parameters'][number]): string {
  const value = (text: string | undefined) => (text === undefined ? 'none' : JSON.stringify(text));
  return `${name}: recorded ${value(recorded)}, found ${value(found)}`;
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Returns the differences of a client that has finished, one text each. */
export function mismatchLines(server: { check(): void }): readonly string[] {
  try {
    server.check();
    return [];
  } catch (error) {
    if (!(error instanceof CassetteMismatchError)) throw error;
    return error.mismatches.map(mismatch => describeMismatches([mismatch]));
  }
}
