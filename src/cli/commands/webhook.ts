import { Command, Option } from 'commander';
import { NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import { SIGNATURE_TOLERANCE_SECONDS } from '../../protocol/signature.ts';
import { integerFrom, seconds } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import type { WebhookListenOptions } from './webhookListenRun.ts';
import type { WebhookVerifyOptions } from './webhookVerifyRun.ts';

/** `rxscribe webhook`: what receives notifications, and what checks them. */
export function webhookCommand(): Command {
  return new Command('webhook')
    .description('receive notifications, and check their signatures')
    .addCommand(verifyCommand())
    .addCommand(listenCommand());
}

const secretOption = () =>
  new Option('--secret <secret>', 'signing secret of the account').env('RXSCRIBE_WEBHOOK_SECRET');

/** `rxscribe webhook verify`: whether a notification that was kept is genuine. */
function verifyCommand(): Command {
  return new Command('verify')
    .description('check the signature of a notification')
    .argument('[file]', 'the body, exactly as it came; - for standard input', '-')
    .requiredOption('--signature <header>', 'value of the signature header')
    .addOption(secretOption().makeOptionMandatory())
    .addOption(
      new Option('--tolerance <seconds>', 'how long ago it may have been signed')
        .default(SIGNATURE_TOLERANCE_SECONDS)
        .argParser(seconds),
    )
    .option('--json', 'print the notification as JSON')
    .addHelpText(
      'after',
      notes('Exit codes: 0 genuine, 2 wrong usage, 3 body cannot be read, 5 not genuine.'),
    )
    .action(async (file: string, options: WebhookVerifyOptions) => {
      const { runWebhookVerify } = await import('./webhookVerifyRun.ts');
      await runWebhookVerify(file, options);
    });
}

/** `rxscribe webhook listen`: a receiver to develop with, until it is told to stop. */
function listenCommand(): Command {
  return new Command('listen')
    .description('print notifications as they come; JSON lines where the output is no terminal')
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port, 0 for a free one').default(8081).argParser(integerFrom(0, 65_535)),
    )
    .addOption(secretOption())
    .addOption(
      new Option('--brand <word>', "the word in the service's headers")
        .env('RXSCRIBE_BRAND')
        .default(NEUTRAL_BRAND),
    )
    .addHelpText(
      'after',
      notes('A service notifies an address of this machine only with --allow-private-addresses.'),
    )
    .action(async (options: WebhookListenOptions) => {
      const { runWebhookListen } = await import('./webhookListenRun.ts');
      await runWebhookListen(options);
    });
}
