import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { RxscribeError } from '../../base/errors.ts';
import { verifyNotification } from '../../protocol/notifications.ts';
import { notificationText } from './notificationText.ts';

export interface WebhookVerifyOptions {
  readonly secret: string;
  readonly signature: string;
  /** Seconds. */
  readonly tolerance: number;
  readonly json?: boolean;
}

/** Checks a notification of a file, or of standard input for `-`, and prints what it says. */
export async function runWebhookVerify(file: string, options: WebhookVerifyOptions): Promise<void> {
  const { secret, signature, tolerance, json } = options;
  const body = await readBody(file);
  const notification = verifyNotification({ body, signature, secret, toleranceSeconds: tolerance });
  // As it came, under the names of the wire, but on one line.
  const output = json ? JSON.stringify(JSON.parse(body.toString())) : notificationText(notification);
  process.stdout.write(`${output}\n`);
}

async function readBody(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RxscribeError('unreadable-input', `read ${file}: wanted a file, found ${code}`, { cause });
  }
}
