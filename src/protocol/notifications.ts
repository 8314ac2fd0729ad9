import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { RxscribeError } from '../base/errors.ts';
import { JobSchema, JobTypeSchema, VocabularyNotificationSchema } from './jobs.ts';
import { checkSignature, SIGNATURE_TOLERANCE_SECONDS } from './signature.ts';
import { type Camel, fromWire } from './wireNames.ts';

/** A job as a notification has it: as its area shows it, and the legacy area shows no type. */
const NotifiedJobSchema = Type.Object(
  { ...JobSchema.properties, type: Type.Optional(JobTypeSchema) },
  { additionalProperties: true },
);
const AboutJobSchema = Type.Object({ job: NotifiedJobSchema });

/** What a service posts to a receiver when a job or a vocabulary has ended. */
export type Notification =
  | Camel<Static<typeof AboutJobSchema>>
  | Camel<Static<typeof VocabularyNotificationSchema>>;

export interface VerifyNotificationOptions {
  /** All bytes of the body as they came. */
  readonly body: string | Uint8Array;
  /** Value of the `X-{Brand}-Signature` header, as `request.headers` has it. */
  readonly signature: string | readonly string[] | undefined;
  /** The account's signing secret; several while it is being replaced. */
  readonly secret: string | readonly string[];
  /** How far the time of the signature may be from now. Default 300. */
  readonly toleranceSeconds?: number;
  /** Seconds since 1970-01-01 UTC. Default: the time now. */
  readonly now?: number;
}

/**
 * Makes sure that a notification comes from the service and is recent, and reads it. The same notification may come
 * more than once: its `X-{Brand}-Delivery` header tells.
 *
 * @throws SignatureError when the signature is missing, malformed, too old, too new, or of another body or secret
 * @throws RxscribeError `protocol` when the body is signed but is no notification
 * @throws InvalidArgumentError without a secret
 * @example
 * import { createServer } from 'node:http';
 * import { buffer } from 'node:stream/consumers';
 * import { SignatureError, verifyNotification } from 'rxscribe';
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
 *     response.writeHead(error instanceof SignatureError ? 401 : 400).end();
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
 * Reads a notification without asking who sent it.
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
    // The parser's own error quotes the text.
    throw new RxscribeError('protocol', 'notification: wanted JSON in UTF-8, found something else');
  }
}

function reader<Schema extends TSchema>(schema: Schema): (json: unknown) => Camel<Static<Schema>> {
  const validator = Compile(schema);
  return json => {
    if (validator.Check(json)) return fromWire(schema, json);
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validator.Errors(json);
    throw new RxscribeError('protocol', `notification${instancePath}: ${message}`);
  };
}
