import { styleText } from 'node:util';
import { oneLine, printableJson } from '../../base/text.ts';
import { brandNames, DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import type { Notification } from '../../protocol/notifications.ts';
import { SIGNATURE_TOLERANCE_SECONDS } from '../../protocol/signature.ts';
import type { Context, Output } from '../context.ts';
import { defineCommand, defineCommands } from '../flags/defineCommand.ts';
import { type FlagsOf, optionGroup } from '../flags/optionGroup.ts';
import { COMMAND_LINE_NOTE, integerFrom, seconds } from '../flags/optionValues.ts';
import type { ReceivedNotification } from '../service/webhookReceiver.ts';

const SECRET = {
  help: `signing secret of the account; ${COMMAND_LINE_NOTE}`,
  env: 'RXSCRIBE_WEBHOOK_SECRET',
} as const;

const verifyCommand = defineCommand({
  name: 'verify',
  description: 'check the signature of a saved notification',
  examples: ["rxscribe webhook verify body.json --signature 't=1767225600,v1=…'"],
  arguments: [['[file]', { help: 'body, exactly as it was received; - for standard input', default: '-' }]],
  options: [
    optionGroup('Signature', {
      '--signature <header>': { help: 'value of the signature header', required: true },
      '--secret <secret>': { ...SECRET, required: true },
      '--tolerance <seconds>': {
        help: 'greatest age of the signature',
        parse: seconds,
        default: SIGNATURE_TOLERANCE_SECONDS,
      },
    }),
    optionGroup('Output', { '--json': 'print the notification as JSON' }),
  ],
  exitCodes: 'Exit codes: 0 genuine, 2 wrong usage, 3 body cannot be read, 5 not genuine.',
  async run({ args: [file], flags, context: { stdin, stdout } }) {
    const [{ verifyNotification }, { readBytes }] = await Promise.all([
      import('../../protocol/notifications.ts'),
      import('../files/textFile.ts'),
    ]);
    const { secret, signature, tolerance, json } = flags;
    const body = await readBytes(file, stdin);
    const notification = verifyNotification({ body, signature, secret, toleranceSeconds: tolerance });
    // The JSON of the body, on one line.
    const output = json ? printableJson(JSON.parse(body.toString())) : notificationText(notification);
    stdout.write(`${output}\n`);
  },
});

const LISTEN_OPTIONS = optionGroup('Network', {
  '--host <address>': { help: 'address to listen on', default: '127.0.0.1' },
  '--port <number>': { help: 'port, 0 for a free one', parse: integerFrom(0, 65_535), default: 8081 },
  '--secret <secret>': SECRET,
  '--brand <word>': { help: "brand in the service's headers", env: 'RXSCRIBE_BRAND', default: DEFAULT_BRAND },
});

const listenCommand = defineCommand({
  name: 'listen',
  description: 'print notifications as they arrive; as JSON lines unless the output is a terminal',
  examples: ['rxscribe webhook listen --port 8081'],
  options: [LISTEN_OPTIONS],
  notes: 'A service notifies an address of this machine only with --allow-private-addresses.',
  exitCodes: 'Exit codes: 0 stopped by an interruption, 2 wrong usage, 4 it cannot listen there.',
  run: ({ flags, context }) => listen(context, flags),
});

/** Receives and prints notifications until interrupted. */
async function listen(context: Context, { brand, ...flags }: FlagsOf<typeof LISTEN_OPTIONS>): Promise<void> {
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

/** `rxscribe webhook`, which receives notifications and checks their signatures. */
export const webhookCommand = defineCommands({
  name: 'webhook',
  description: 'receive notifications, and check their signatures',
  examples: ['rxscribe webhook listen --port 8081'],
  commands: [verifyCommand, listenCommand],
});
