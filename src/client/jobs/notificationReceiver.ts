import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { filter, firstValueFrom, fromEvent, merge, ReplaySubject, switchMap, throwError } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { brandNames, DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { parseNotification, verifyNotification } from '../../protocol/notifications.ts';
import { SignatureError, secretsOf } from '../../protocol/signature.ts';
import { authority, listen } from '../../web/listen.ts';
import { readBody } from '../../web/readBody.ts';
import { REQUEST_TIMEOUTS } from '../../web/serverLimits.ts';
import type { AnyJob } from './jobTypes.ts';

export interface NotificationReceiverOptions {
  /** Host to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number;
  /** Base address at which the service reaches the receiver. Default: the address it listens on. */
  readonly publicUrl?: string | URL;
  /** The account's signing secret; several while it is being replaced. Default: signatures are not checked. */
  readonly secret?: string | readonly string[];
  /** Brand word of the service in the names of headers. Default `svc`. */
  readonly brand?: string;
}

/** An HTTP server for notifications about ended jobs. */
export interface NotificationReceiver extends AsyncDisposable {
  /** Address for notifications, with an unguessable path. Pass the receiver as `notification` of a submission. */
  readonly url: string;
  /**
   * Resolves with the ended job or vocabulary when its notification arrives, or has arrived.
   *
   * @throws RxscribeError `aborted` when the receiver is closed; the signal's reason
   */
  ended(id: string, options?: { readonly signal?: AbortSignal }): Promise<AnyJob>;
  close(): Promise<void>;
}

/** Bytes of the largest accepted notification. */
const MAX_BYTES = 1024 * 1024;

/**
 * Starts an HTTP server for notifications. The service must be able to reach it, and most services reject private addresses.
 *
 * @throws RxscribeError `unavailable` when it cannot listen
 * @throws InvalidArgumentError for an empty secret or an invalid brand
 * @example
 * import { createClient, createNotificationReceiver } from 'rxscribe';
 *
 * const client = createClient({ url: 'https://speech.example.org', token: 'secret' });
 * const publicUrl = 'https://hooks.example.org';
 * await using receiver = await createNotificationReceiver({ port: 9000, publicUrl });
 * const job = await client.transcription.submit({ path: 'talk.wav' }, { notification: receiver });
 * await client.transcription.waitFor(job, { receiver });
 */
export async function createNotificationReceiver(
  options: NotificationReceiverOptions = {},
): Promise<NotificationReceiver> {
  namedOptions('NotificationReceiverOptions', options);
  const { host = '127.0.0.1', port = 0, publicUrl, secret, brand = DEFAULT_BRAND } = options;
  // Checked now, as the first notification would be too late.
  if (secret !== undefined) secretsOf(secret);
  const signatureHeader = brandNames(brand).signatureHeader.toLowerCase();
  const path = `/${createId(22)}`;
  const inbox = createNotificationInbox();

  async function take(request: IncomingMessage): Promise<number> {
    // A proxy may have added a prefix to the path.
    if (!request.url?.endsWith(path)) return 404;
    if (request.method !== 'POST') return 405;
    const body = await readBody(request.iterator({ destroyOnReturn: false }), MAX_BYTES + 1);
    if (body.length > MAX_BYTES) return 413;
    const signature = request.headers[signatureHeader];
    const notification =
      secret === undefined ? parseNotification(body) : verifyNotification({ body, signature, secret });
    inbox.put('job' in notification ? notification.job : notification.customVocabulary);
    return 200;
  }

  const server = createServer(REQUEST_TIMEOUTS, (request, response) => {
    void take(request)
      .catch(error => (error instanceof SignatureError ? 401 : 400))
      .then(status => response.writeHead(status, { connection: 'close' }).end());
  });
  const usedPort = await listen(server, { host, port }, 'Cannot listen for notifications');
  const base = publicUrl ?? `http://${authority({ host, port: usedPort })}`;
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

/** Maximum number of ended jobs that are kept for later waiters; the oldest are dropped first. */
const MAX_KEPT = 1000;

/** Matches ended jobs, which arrive at any time, with waiters. */
function createNotificationInbox() {
  const jobs$ = new ReplaySubject<AnyJob>(MAX_KEPT);
  const closed = new AbortController();
  return {
    put: (job: AnyJob) => jobs$.next(job),
    async ended(id: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<AnyJob> {
      const stop = AbortSignal.any(signal ? [closed.signal, signal] : [closed.signal]);
      stop.throwIfAborted();
      const ended$ = jobs$.pipe(filter(job => job.id === id));
      const stopped$ = fromEvent(stop, 'abort').pipe(switchMap(() => throwError(() => stop.reason)));
      return firstValueFrom(merge(ended$, stopped$));
    },
    /** Rejects all waiters. */
    close() {
      closed.abort(new RxscribeError('aborted', 'Cannot wait for a notification: the receiver was closed.'));
    },
  };
}
