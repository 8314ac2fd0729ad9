import http, { type AgentOptions, type ClientRequestArgs } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Duplex, Writable } from 'node:stream';

/** How long a failed write waits for an answer that is still to be read. */
const ANSWER_WAIT_MS = 1000;

/** A connection is used once: between two polls the other side would close it, and not tell in time. */
const ONCE: AgentOptions = { keepAlive: false };

class PatientHttpAgent extends http.Agent {
  override createConnection(options: ClientRequestArgs): Duplex | null | undefined {
    return patient(super.createConnection(options));
  }
}

class PatientHttpsAgent extends https.Agent {
  override createConnection(options: RequestOptions): Duplex | null | undefined {
    return patient(super.createConnection(options));
  }
}

/** Agents whose connections give an answer that came before the request was sent in full. */
export const PATIENT_AGENTS = { 'http:': new PatientHttpAgent(ONCE), 'https:': new PatientHttpsAgent(ONCE) };

type Callback = (error?: Error | null) => void;

/**
 * Makes a connection tell of a failed write only when there is nothing more to read.
 *
 * A service that refuses an upload half-way answers and closes. The next write then fails, upon which Node destroys the
 * socket with the answer unread: of uploads from files nearly all failed with EPIPE in place of the 401.
 */
function patient(socket: Duplex | null | undefined): Duplex | null | undefined {
  for (const name of ['_write', '_writev'] as const) {
    const write: Writable[typeof name] = socket?.[name];
    if (!socket || !write) continue;
    // biome-ignore lint/suspicious/noExplicitAny: the arguments of the one or the other, which are passed on
    socket[name] = (...args: any[]) => {
      const told: Callback = args.pop();
      const patiently: Callback = error => (error ? tellLater(socket, error, told) : told());
      (write as (...args: unknown[]) => void).call(socket, ...args, patiently);
    };
  }
  return socket;
}

/** What is read meanwhile ends in the end of the connection, and with it the wait. */
function tellLater(socket: Duplex, error: Error, told: Callback): void {
  const tell = () => {
    clearTimeout(timer);
    socket.off('close', tell);
    told(error);
  };
  const timer = setTimeout(tell, ANSWER_WAIT_MS);
  socket.once('close', tell);
}
