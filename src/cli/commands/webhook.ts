import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { RxscribeError } from '../../base/errors.ts';
import { fileReason, oneLine, printableJson } from '../../base/text.ts';
import { brandNames, DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import type { Notification } from '../../protocol/notifications.ts';
import { SIGNATURE_TOLERANCE_SECONDS } from '../../protocol/signature.ts';
import type { Context, Output } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { COMMAND_LINE_NOTE, integerFrom, seconds } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import type { ReceivedNotification } from '../service/webhookReceiver.ts';

/** Creates `rxscribe webhook`, which receives notifications and checks their signatures. */
export function webhookCommand(context: Context): Command {
  return new ContextCommand('webhook', context)
    .description('receive notifications, and check their signatures')
    .addCommand(verifyCommand(context))
    .addCommand(listenCommand(context));
}

const secretOption = () =>
  new Option('--secret <secret>', `signing secret of the account; ${COMMAND_LINE_NOTE}`).env(
    'RXSCRIBE_WEBHOOK_SECRET',
  );

interface VerifyFlags {
  readonly secret: string;
  readonly signature: string;
  /** Seconds. */
  readonly tolerance: number;
  readonly json?: boolean;
}

function verifyCommand(context: Context): Command {
  return new ContextCommand('verify', context)
    .description('check the signature of a saved notification')
    .argument('[file]', 'body, exactly as it was received; - for standard input', '-')
    .requiredOption('--signature <header>', 'value of the signature header')
    .addOption(secretOption().makeOptionMandatory())
    .addOption(
      new Option('--tolerance <seconds>', 'greatest age of the signature')
        .default(SIGNATURE_TOLERANCE_SECONDS)
        .argParser(seconds),
    )
    .option('--json', 'print the notification as JSON')
    .addHelpText(
      'after',
      notes('Exit codes: 0 genuine, 2 wrong usage, 3 body cannot be read, 5 not genuine.'),
    )
    .action((file: string, flags: VerifyFlags) => verify(context, file, flags));
}

async function verify(
  context: Context,
  file: string,
  { secret, signature, tolerance, json }: VerifyFlags,
): Promise<void> {
  const { verifyNotification } = await import('../../protocol/notifications.ts');
  const body = await readBody(context, file);
  const notification = verifyNotification({ body, signature, secret, toleranceSeconds: tolerance });
  // The JSON is that of the body, on one line.
  const output = json ? printableJson(JSON.parse(body.toString())) : notificationText(notification);
  context.stdout.write(`${output}\n`);
}

async function readBody({ stdin }: Context, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(stdin) : await readFile(file);
  } catch (cause) {
    throw new RxscribeError('unreadable-input', `Cannot read '${file}': ${fileReason(cause)}.`, { cause });
  }
}

interface ListenFlags {
  readonly host: string;
  readonly port: number;
  readonly secret?: string;
  readonly brand: string;
}

function listenCommand(context: Context): Command {
  return new ContextCommand('listen', context)
    .description('print notifications as they arrive; as JSON lines unless the output is a terminal')
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port, 0 for a free one').default(8081).argParser(integerFrom(0, 65_535)),
    )
    .addOption(secretOption())
    .addOption(
      new Option('--brand <word>', "brand in the service's headers")
        .env('RXSCRIBE_BRAND')
        .default(DEFAULT_BRAND),
    )
    .addHelpText('after', notes(LISTEN_NOTES))
    .action((flags: ListenFlags) => listen(context, flags));
}

const LISTEN_NOTES = `
A service notifies an address of this machine only with --allow-private-addresses.

Exit codes: 0 stopped by an interruption, 2 wrong usage, 4 it cannot listen there.`;

/** Receives notifications and prints them, until it is interrupted. */
async function listen(context: Context, { brand, ...flags }: ListenFlags): Promise<void> {
  const [{ startReceiver }, { STOPPED, takeInterruptions }, { firstValueFrom }] = await Promise.all([
    import('../service/webhookReceiver.ts'),
    import('../interruption.ts'),
    import('rxjs'),
  ]);
  const { stdout, stderr } = context;
  using interruption = takeInterruptions(context, STOPPED);
  const warningLabel = styleText('yellow', 'warning:', { stream: stderr });
  await using receiver = await startReceiver({
    ...flags,
    names: brandNames(brand),
    onNotification(received) {
      stdout.write(`${stdout.isTTY ? terminalLine(received, stdout) : jsonLine(received)}\n`);
    },
    onOther: reason => void stderr.write(`${warningLabel} Not a notification: ${reason}\n`),
  });
  stderr.write(`rxscribe webhook listening on ${receiver.url}\n`);
  await firstValueFrom(interruption.interrupted$);
}

/** Returns a notification under the names of the wire, for other programs. */
function jsonLine({ signature, reason, delivery, body }: ReceivedNotification): string {
  return printableJson({ signature, reason, delivery, notification: JSON.parse(body) });
}

const SIGNS = {
  valid: ['green', '✔ valid    '],
  invalid: ['red', '✘ invalid  '],
  unchecked: ['dim', '– unchecked'],
} as const satisfies Record<ReceivedNotification['signature'], readonly [string, string]>;

/** Returns the time of a notification, the state of its signature, and its content, for people. */
function terminalLine(received: ReceivedNotification, stream: Output): string {
  const { signature, reason, delivery = '', notification } = received;
  const time = styleText('dim', new Date().toTimeString().slice(0, 8), { stream });
  const [colour, sign] = SIGNS[signature];
  const why = reason === undefined ? '' : `\n          ${styleText('red', reason, { stream })}`;
  const state = styleText(colour, sign, { stream });
  return `${time}  ${state}  ${oneLine(delivery).padEnd(14)}  ${notificationText(notification)}${why}`;
}

/** Returns the content of a notification on one line, without control characters. */
function notificationText(notification: Notification): string {
  const [kind, { id, status, failureDetail }] =
    'job' in notification
      ? (['job', notification.job] as const)
      : (['vocabulary', notification.customVocabulary] as const);
  return oneLine(`${kind} ${id} ${status}${failureDetail === undefined ? '' : `: ${failureDetail}`}`);
}
