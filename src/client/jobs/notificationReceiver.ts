import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { brandNames, NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import { parseNotification, verifyNotification } from '../../protocol/notifications.ts';
import { SignatureError, secretsOf } from '../../protocol/signature.ts';
import type { AnyJob } from './jobTypes.ts';

export interface NotificationReceiverOptions {
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Base address by which the service reaches the receiver. Default: the one it listens on. */
  readonly publicUrl?: string | URL;
  /** The account's signing secret; several while it is being replaced. Default: signatures are not looked at. */
  readonly secret?: string | readonly string[];
  /** The service's word in the names of headers. Default `svc`. */
  readonly brand?: string;
}

/** Takes notifications, for those who wait for jobs. */
export interface NotificationReceiver extends AsyncDisposable {
  /** Where to; a receiver can be given as `notification` of a submission. Its path cannot be guessed. */
  readonly url: string;
  /**
   * Resolves with a job or vocabulary when its notification comes, or has come.
   *
   * @throws RxscribeError `aborted` when the receiver is closed; the signal's reason
   */
  ended(id: string, options?: { readonly signal?: AbortSignal }): Promise<AnyJob>;
  close(): Promise<void>;
}

/** Bytes of the largest notification that is taken. */
const MAX_BYTES = 1024 * 1024;
/** For a whole notification to arrive. */
const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Starts to take notifications. The service must reach the receiver: most refuse private addresses.
 *
 * @throws RxscribeError `unavailable` when it cannot listen
 * @throws InvalidArgumentError for a secret that is empty
 * @example
 * await using receiver = await createNotificationReceiver({ port: 9000, publicUrl: 'https://hooks.example.org' });
 * const job = await client.transcription.submit({ path: 'talk.wav' }, { notification: receiver });
 * await client.transcription.waitFor(job, { receiver });
 */
export async function createNotificationReceiver(
  options: NotificationReceiverOptions = {},
): Promise<NotificationReceiver> {
  const { host = '127.0.0.1', port = 0, publicUrl, secret, brand = NEUTRAL_BRAND } = options;
  // Now, not at the first notification, which would be refused again and again.
  if (secret !== undefined) secretsOf(secret);
  const signatureHeader = brandNames(brand).signatureHeader.toLowerCase();
  const path = `/${createId(22)}`;
  const inbox = createNotificationInbox();

  async function take(request: IncomingMessage): Promise<number> {
    // Whoever stands before the receiver may have put something in front of it.
    if (!request.url?.endsWith(path)) return 404;
    if (request.method !== 'POST') return 405;
    const body = await bodyOf(request);
    if (!body) return 413;
    const signature = request.headers[signatureHeader];
    const notification =
      secret === undefined ? parseNotification(body) : verifyNotification({ body, signature, secret });
    inbox.put('job' in notification ? notification.job : notification.customVocabulary);
    return 200;
  }

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    take(request)
      .catch(error => (error instanceof SignatureError ? 401 : 400))
      .then(status => response.writeHead(status, { connection: 'close' }).end());
  });
  await listen(server, host, port);
  const base = publicUrl ?? addressOf(server, host);
  const close = async () => {
    inbox.close();
    const closed = server.listening && once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: String(base).replace(/\/+$/, '') + path,
    ended: inbox.ended,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const message = `listen for notifications on ${host}, port ${port}: ${messageOf(cause)}`;
    throw new RxscribeError('unavailable', message, { cause });
  }
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ends of jobs that are kept for those who ask later; of more, the oldest are forgotten. */
const MAX_KEPT = 1000;

/** Brings together the ends of jobs, which come at any time, and those who wait for them. */
export interface NotificationInbox {
  put(job: AnyJob): void;
  /** Resolves when the job has been put, earlier or later. */
  ended(id: string, options?: { readonly signal?: AbortSignal }): Promise<AnyJob>;
  /** Whoever waits is told that nothing comes any more. */
  close(): void;
}

export function createNotificationInbox(): NotificationInbox {
  const kept = new Map<string, AnyJob>();
  const waiting = new Map<string, Set<(job: AnyJob) => void>>();
  const closed = new AbortController();
  return {
    put(job) {
      kept.delete(job.id);
      kept.set(job.id, job);
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      for (const resolve of waiting.get(job.id) ?? []) resolve(job);
      waiting.delete(job.id);
    },
    async ended(id, { signal } = {}) {
      const known = kept.get(id);
      if (known) return known;
      const signals = AbortSignal.any(signal ? [closed.signal, signal] : [closed.signal]);
      signals.throwIfAborted();
      return new Promise((resolve, reject) => {
        const all = waiting.get(id) ?? new Set();
        waiting.set(id, all.add(resolve));
        const leave = () => {
          all.delete(resolve);
          // Nobody is left, and no others have come since it was told.
          if (all.size === 0 && waiting.get(id) === all) waiting.delete(id);
          reject(signals.reason);
        };
        signals.addEventListener('abort', leave, { once: true });
      });
    },
    close() {
      closed.abort(new RxscribeError('aborted', 'wait for a notification: the receiver was closed'));
    },
  };
}
