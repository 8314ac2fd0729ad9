import { CommanderError } from 'commander';
import { type ErrorCode, RxscribeError } from '../base/errors.ts';
import { StreamQueryError } from '../protocol/streamQueryError.ts';

/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  /** A fault of the program itself. */
  internal: 1,
  usage: 2,
  unreadableInput: 3,
  unreachable: 4,
  refused: 5,
  /** `rxscribe replay`, `bench` or `load` found a limit exceeded or a failed stream. */
  worse: 6,
  /** The machine of `rxscribe replay` or `bench` was too busy to measure times. */
  invalid: 7,
  interrupted: 130,
} as const;

const BY_CODE: Readonly<Record<ErrorCode, number>> = {
  'invalid-argument': EXIT.usage,
  'unreadable-input': EXIT.unreadableInput,
  aborted: EXIT.interrupted,
  timeout: EXIT.unreachable,
  'audio-missing': EXIT.unreadableInput,
  'audio-empty': EXIT.unreadableInput,
  'audio-corrupt': EXIT.unreadableInput,
  'audio-unsupported': EXIT.unreadableInput,
  'audio-device': EXIT.unreadableInput,
  download: EXIT.unreadableInput,
  'program-missing': EXIT.unreadableInput,
  'program-failed': EXIT.unreadableInput,
  'engine-missing': EXIT.unreachable,
  'engine-failed': EXIT.unreachable,
  protocol: EXIT.unreachable,
  unreachable: EXIT.unreachable,
  'connection-lost': EXIT.unreachable,
  overflow: EXIT.unreachable,
  unauthorized: EXIT.refused,
  'bad-request': EXIT.refused,
  'out-of-credit': EXIT.refused,
  'too-many-requests': EXIT.refused,
  'not-found': EXIT.refused,
  'invalid-state': EXIT.refused,
  unavailable: EXIT.unreachable,
  store: EXIT.unreachable,
};

/** Returns the exit code for an error. */
export function exitCodeOf(thrown: unknown): number {
  // Found before the service was called: wrong usage, although the code is that of a refusal.
  if (thrown instanceof StreamQueryError) return EXIT.usage;
  if (thrown instanceof RxscribeError) return BY_CODE[thrown.code];
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
  return EXIT.internal;
}

/** Exit codes of a command that submits a job and prints its result. */
export const JOB_EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, 5 refused (token, credit,
request), 130 interrupted.`;

/** Exit codes of a command that reads or changes records of a service. */
export const RECORD_EXIT_CODES =
  'Exit codes: 0 done, 2 wrong usage, 4 service unreachable, 5 refused, 130 interrupted.';
