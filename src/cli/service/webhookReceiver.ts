import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { type Notification, parseNotification, verifyNotification } from '../../protocol/notifications.ts';
import { SignatureError, secretsOf } from '../../protocol/signature.ts';

/** A notification that came, and what is to be thought of it. */
export interface ReceivedNotification {
  readonly notification: Notification;
  /** As it came. */
  readonly body: string;
  /** The same in every try to deliver it. */
  readonly delivery?: string;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** Why the signature is invalid. */
  readonly reason?: string;
}

export interface ReceiverOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Default: signatures are not checked. */
  readonly secret?: string;
  readonly names: BrandNames;
  readonly onNotification: (received: ReceivedNotification) => void;
  /** Something came that is no notification. */
  readonly onOther: (reason: string) => void;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
}

const MAX_BODY_BYTES = 1024 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Receives notifications and accepts them all, so that a service need not try again.
 *
 * @throws RxscribeError `unavailable` when it cannot listen there
 * @throws InvalidArgumentError for a secret that is empty
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  // Now, not at the first notification, which would be refused again and again.
  if (options.secret !== undefined) secretsOf(options.secret);
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer(timeouts, async (request, response) => {
    const status = await receive(request, options);
    response.writeHead(status, { connection: 'close' }).end();
  });
  server.listen(options.port, options.host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const wanted = `wanted port ${options.port} of ${options.host}`;
    throw new RxscribeError('unavailable', `listen: ${wanted}, found ${code}`, { cause });
  }
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Takes a request, and gives the status to answer with. */
async function receive(request: IncomingMessage, options: ReceiverOptions): Promise<number> {
  const { onNotification, onOther } = options;
  if (request.method !== 'POST') {
    onOther(`wanted POST, found ${request.method}`);
    return 405;
  }
  try {
    const body = await readBody(request);
    if (!body) {
      onOther(`wanted a body of at most ${MAX_BODY_BYTES} bytes, found more`);
      return 413;
    }
    onNotification(judge(body, request, options));
    return 200;
  } catch (error) {
    onOther(messageOf(error));
    return 400;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Not destroyed with what is left of it: the answer goes the same way.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function judge(
  body: Buffer,
  { headers }: IncomingMessage,
  { secret, names }: ReceiverOptions,
): ReceivedNotification {
  const received = {
    notification: parseNotification(body),
    body: body.toString(),
    delivery: headers[names.deliveryHeader.toLowerCase()]?.toString(),
  };
  if (secret === undefined) return { ...received, signature: 'unchecked' };
  try {
    verifyNotification({ body, secret, signature: headers[names.signatureHeader.toLowerCase()] });
    return { ...received, signature: 'valid' };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { ...received, signature: 'invalid', reason: error.message };
  }
}
