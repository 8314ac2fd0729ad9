import { systemClock } from '../base/clock.ts';
import { RxscribeError } from '../base/errors.ts';
import { fileReason } from '../base/text.ts';
import type { Io } from './context.ts';
import { EXIT, exitCodeOf } from './exitCodes.ts';

/** Returns the streams, environment and signals of this process. */
export function processIo(): Io {
  process.stdout.on('error', error => {
    // A command that listens itself needs to know.
    if (process.stdout.listenerCount('error') > 1) return;
    // The reader of the pipe, such as `head`, has closed it.
    if (isPipeClosed(error)) process.exit(EXIT.done);
    process.stderr.write(`error: Cannot write the output: ${fileReason(error)}.\n`);
    process.exit(UNWRITABLE);
  });
  process.stderr.on('error', error => {
    if (isPipeClosed(error)) return;
    // The work goes on, as captions must not end with a full disk of the log; but its messages are lost.
    process.once('exit', code => {
      process.exitCode = code || UNWRITABLE;
    });
  });
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    clock: systemClock,
    onInterrupt,
    exit: code => process.exit(code),
  };
}

/** Exit code of a command whose output or messages cannot be written. */
const UNWRITABLE = exitCodeOf(new RxscribeError('store', ''));

function isPipeClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE';
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function onInterrupt(listener: () => void): () => void {
  let isFirst = true;
  const onSignal = () => {
    // Node's teardown removes listeners, and then a repeated signal kills the process: exit() skips that teardown.
    if (isFirst) process.once('exit', () => process.exit());
    isFirst = false;
    listener();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
