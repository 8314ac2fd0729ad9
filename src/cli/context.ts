import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { EngineIo, Provided } from './provided.ts';

/** A stream that a command writes to: a terminal with its columns, a pipe or a file. */
export type Output = EngineIo['stderr'];

/** Input and output of a command line. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /**
   * Calls back at each request to stop, such as Ctrl-C. The default handling applies while there is no listener.
   *
   * @returns a function that removes the listener
   */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once, after more interruptions than the command handles. */
  exit(code: number): void;
}

/** Input and output of a running command, what it needs of other parts, and the exit code that it ends with. */
export interface Context extends Io {
  readonly provided: Provided;
  exitCode: number;
}
