import type { Duplex, Writable } from 'node:stream';

/** Milliseconds that a failed write waits for the response to be read. */
const ANSWER_WAIT_MS = 1000;

type Callback = (error?: Error | null) => void;

/**
 * Makes a connection report a failed write only after all received data has been read.
 *
 * A service that rejects an upload half-way responds and closes the connection. The next write then fails, and Node destroys the
 * socket with the response unread: nearly all rejected uploads of files failed with EPIPE instead of 401.
 */
export function deliverEarlyAnswer(socket: Duplex): void {
  for (const name of ['_write', '_writev'] as const) {
    const write: Writable[typeof name] = socket[name];
    if (!write) continue;
    // biome-ignore lint/suspicious/noExplicitAny: the arguments of either function are passed on
    socket[name] = (...args: any[]) => {
      const callback: Callback = args.pop();
      const onWritten: Callback = error => (error ? reportLater(socket, error, callback) : callback());
      (write as (...args: unknown[]) => void).call(socket, ...args, onWritten);
    };
  }
}

/** Reports an error when the connection closes, which follows the last received data, or after a timeout. */
function reportLater(socket: Duplex, error: Error, callback: Callback): void {
  const report = () => {
    clearTimeout(timer);
    socket.off('close', report);
    callback(error);
  };
  const timer = setTimeout(report, ANSWER_WAIT_MS);
  socket.once('close', report);
}
