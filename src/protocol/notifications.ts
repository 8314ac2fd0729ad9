import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { RxscribeError } from '../base/errors.ts';
import { JobSchema, JobTypeSchema, VocabularyNotificationSchema } from './jobs.ts';
import { checkSignature, SIGNATURE_TOLERANCE_SECONDS } from './signature.ts';
import { type Camel, fromWire } from './wireNames.ts';

/** A job in a notification. The type is optional, as jobs of the legacy area have none. */
const NotifiedJobSchema = Type.Object(
  { ...JobSchema.properties, type: Type.Optional(JobTypeSchema) },
  { additionalProperties: true },
);
const AboutJobSchema = Type.Object({ job: NotifiedJobSchema });

/** The body that a service posts to a receiver when a job or a vocabulary has ended. */
export type Notification =
  | Camel<Static<typeof AboutJobSchema>>
  | Camel<Static<typeof VocabularyNotificationSchema>>;

export interface VerifyNotificationOptions {
  /** The exact body of the request, not parsed and printed again. */
  readonly body: string | Uint8Array;
  /** Value of the `X-{Brand}-Signature` header, as in `request.headers`. */
  readonly signature: string | readonly string[] | undefined;
  /** The account's signing secret; several while it is being replaced. */
  readonly secret: string | readonly string[];
  /** Maximum age of the signature in seconds. Default 300. */
  readonly toleranceSeconds?: number;
  /** Current time in seconds since 1970-01-01 UTC. Default: of the system. */
  readonly now?: number;
}

/**
 * Verifies that a notification was signed by the service (HMAC-SHA256) and is recent, and parses it. A notification may be
 * delivered more than once; its `X-{Brand}-Delivery` header is the same each time.
 *
 * @throws SignatureError when the signature is missing, malformed, too old, in the future, or of another body or secret
 * @throws RxscribeError `protocol` when the body is signed but not a notification
 * @throws InvalidArgumentError when the secret is empty
 * @example
 * import { createServer } from 'node:http';
 * import { buffer } from 'node:stream/consumers';
 * import { RxscribeError, verifyNotification } from 'rxscribe';
 *
 * const secret = process.env.RXSCRIBE_WEBHOOK_SECRET ?? '';
 * const receiver = createServer(async (request, response) => {
 *   try {
 *     const body = await buffer(request);
 *     const signature = request.headers['x-svc-signature'];
 *     const notification = verifyNotification({ body, signature, secret });
 *     if ('job' in notification) console.log(notification.job.id, notification.job.status);
 *     response.writeHead(200).end();
 *   } catch (error) {
 *     const isForged = error instanceof RxscribeError && error.code === 'unauthorized';
 *     response.writeHead(isForged ? 401 : 400).end();
 *   }
 * });
 * receiver.listen(Number(process.env.PORT ?? 8081));
 */
export function verifyNotification(options: VerifyNotificationOptions): Notification {
  const { toleranceSeconds = SIGNATURE_TOLERANCE_SECONDS, now = Date.now() / 1000 } = options;
  checkSignature({ ...options, toleranceSeconds, now });
  return parseNotification(options.body);
}

const aboutJob = reader(AboutJobSchema);
const aboutVocabulary = reader(VocabularyNotificationSchema);

/**
 * Parses a notification without verifying its signature.
 *
 * @throws RxscribeError `protocol`
 */
export function parseNotification(body: string | Uint8Array): Notification {
  const json = parseJson(body);
  const isAboutVocabulary = typeof json === 'object' && json !== null && 'custom_vocabulary' in json;
  return isAboutVocabulary ? aboutVocabulary(json) : aboutJob(json);
}

function parseJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    // No cause: the error of the parser quotes the text.
    throw new RxscribeError('protocol', 'The notification is not JSON in UTF-8.');
  }
}

function reader<Schema extends TSchema>(schema: Schema): (json: unknown) => Camel<Static<Schema>> {
  const validator = Compile(schema);
  return json => {
    if (validator.Check(json)) return fromWire(schema, json);
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validator.Errors(json);
    throw new RxscribeError('protocol', `The notification is not valid: ${instancePath || '/'} ${message}.`);
  };
}
