import { styleText } from 'node:util';
import { firstValueFrom } from 'rxjs';
import { oneLine } from '../../base/text.ts';
import { brandNames } from '../../protocol/interfaceNames.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';
import { type ReceivedNotification, startReceiver } from '../service/webhookReceiver.ts';
import { notificationText } from './notificationText.ts';

export interface WebhookListenOptions {
  readonly host: string;
  readonly port: number;
  readonly secret?: string;
  readonly brand: string;
}

/** Receives notifications and prints them, until SIGTERM or SIGINT. */
export async function runWebhookListen({ brand, ...options }: WebhookListenOptions): Promise<void> {
  using interruption = takeInterruptions(STOPPED);
  const line = process.stdout.isTTY ? terminalLine : jsonLine;
  await using receiver = await startReceiver({
    ...options,
    names: brandNames(brand),
    onNotification: received => void process.stdout.write(`${line(received)}\n`),
    onOther: reason => warn(`not a notification: ${reason}`),
  });
  process.stderr.write(`rxscribe webhook listening on ${receiver.url}\n`);
  await firstValueFrom(interruption.interrupted$);
}

function warn(message: string): void {
  process.stderr.write(`${styleText('yellow', 'warning:', { stream: process.stderr })} ${message}\n`);
}

/** For other programs: the notification under the names of the wire. */
function jsonLine({ signature, reason, delivery, body }: ReceivedNotification): string {
  return JSON.stringify({ signature, reason, delivery, notification: JSON.parse(body) });
}

const MARKS = {
  valid: styleText('green', '✔ valid    '),
  invalid: styleText('red', '✘ invalid  '),
  unchecked: styleText('dim', '– unchecked'),
} as const satisfies Record<ReceivedNotification['signature'], string>;

/** For people: when, whether to believe it, what it says. */
function terminalLine({ signature, reason, delivery = '', notification }: ReceivedNotification): string {
  const time = styleText('dim', new Date().toTimeString().slice(0, 8));
  const why = reason === undefined ? '' : `\n          ${styleText('red', reason)}`;
  return `${time}  ${MARKS[signature]}  ${oneLine(delivery).padEnd(14)}  ${notificationText(notification)}${why}`;
}
