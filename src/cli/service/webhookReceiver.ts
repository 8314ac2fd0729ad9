import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../base/errors.ts';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { type Notification, parseNotification, verifyNotification } from '../../protocol/notifications.ts';
import { SignatureError, secretsOf } from '../../protocol/signature.ts';
import { authority, listen } from '../../web/listen.ts';
import { readBody } from '../../web/readBody.ts';
import { REQUEST_TIMEOUTS } from '../../web/serverLimits.ts';

/** A received notification with the result of its signature check. */
export interface ReceivedNotification {
  readonly notification: Notification;
  /** Body as it was received. */
  readonly body: string;
  /** Id of the delivery, the same in each attempt. */
  readonly delivery?: string;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** The reason for which the signature is invalid. */
  readonly reason?: string;
}

export interface ReceiverOptions {
  readonly host: string;
  /** Port; 0 for a free one. */
  readonly port: number;
  /** Signing secret. Default: signatures are not checked. */
  readonly secret?: string;
  readonly names: BrandNames;
  readonly onNotification: (received: ReceivedNotification) => void;
  /** Called for a request that is not a notification. */
  readonly onOther: (reason: string) => void;
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Starts a receiver that accepts every notification, so that a service does not try again.
 *
 * @throws RxscribeError `unavailable` when it cannot listen there
 * @throws InvalidArgumentError for a secret that is empty
 */
export async function startReceiver(options: ReceiverOptions) {
  // Checked now: a wrong secret would refuse each notification.
  if (options.secret !== undefined) secretsOf(options.secret);
  const server = createServer(REQUEST_TIMEOUTS, async (request, response) => {
    const status = await receive(request, options);
    response.writeHead(status, { connection: 'close' }).end();
  });
  await listen(server, options);
  const { address: host, port } = server.address() as AddressInfo;
  return {
    url: `http://${authority({ host, port })}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Resolves with the status of the answer to a request. */
async function receive(request: IncomingMessage, options: ReceiverOptions): Promise<number> {
  const { onNotification, onOther } = options;
  if (request.method !== 'POST') {
    onOther(`Method ${request.method} is not allowed (allowed: POST).`);
    return 405;
  }
  try {
    // The request must not be destroyed with its unread rest: the answer uses the same socket.
    const body = await readBody(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      onOther(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
      return 413;
    }
    onNotification(checkSignature(body, request, options));
    return 200;
  } catch (error) {
    onOther(messageOf(error));
    return 400;
  }
}

function checkSignature(
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
