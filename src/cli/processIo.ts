import { systemClock } from '../base/clock.ts';
import type { Io } from './context.ts';
import { EXIT } from './exitCodes.ts';

/** Returns the streams, environment and signals of this process. */
export function processIo(): Io {
  process.stdout.on('error', error => {
    // A command that listens itself needs to know.
    if (process.stdout.listenerCount('error') > 1) return;
    // The reader of the pipe, such as `head`, has closed it.
    if ('code' in error && error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
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
