import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { GROUP } from '../help/groups.ts';
import { isGiven } from './contextCommand.ts';
import { addEngineOptions, type EngineFlags } from './engineOptions.ts';
import { COMMAND_LINE_NOTE, serviceUrl } from './optionValues.ts';

/** The service that a command uses: the one at `url`, else one inside this process with the engines of the flags. */
export interface ServiceFlags extends EngineFlags {
  readonly url?: string;
  readonly token?: string;
  readonly brand: string;
}

export interface ServiceOptionsPlan {
  /** The command only makes sense with a service that outlives it. Default false. */
  readonly needsUrl?: boolean;
  /** The command recognises speech, and so takes the options of a recogniser. Default true. */
  readonly recognizes?: boolean;
  /** Description of the service that is used without `--url`, where `--token` may belong to that one. */
  readonly otherwise?: string;
}

/** Adds the options of every command that uses a service. */
export function addServiceOptions(command: Command, plan: ServiceOptionsPlan = {}): Command {
  const { needsUrl = false, recognizes = true, otherwise = 'an embedded service' } = plan;
  const url = new Option('--url <url>', 'service to use').env('RXSCRIBE_URL').argParser(serviceUrl);
  command
    .optionsGroup(GROUP.service)
    .addOption(needsUrl ? url : url.default(undefined, otherwise))
    .addOption(
      new Option('--token <token>', `access token for --url; ${COMMAND_LINE_NOTE}`).env('RXSCRIBE_TOKEN'),
    )
    .addOption(
      new Option('--brand <word>', "brand in the service's media types")
        .env('RXSCRIBE_BRAND')
        .default(DEFAULT_BRAND),
    );
  if (needsUrl) return command;
  if (plan.otherwise === undefined) command.hook('preAction', () => checkTokenHasUrl(command));
  return addEngineOptions(command, { recognizes });
}

function checkTokenHasUrl(command: Command): void {
  if (!isGiven(command, 'token') || command.getOptionValue('url')) return;
  throw new InvalidArgumentError('--token requires --url (or RXSCRIBE_URL).');
}

/** @throws InvalidArgumentError when an address has no token, or engines are given for a service that has its own */
export function checkServiceFlags(flags: ServiceFlags): void {
  const { url, token, engine, model, pause } = flags;
  if (!url) return;
  if ((engine ?? model ?? pause) !== undefined) {
    throw new InvalidArgumentError(
      '--engine, --model and --pause cannot be used with --url: that service has its own engines.',
    );
  }
  if (!token) throw new InvalidArgumentError('--url requires --token (or RXSCRIBE_TOKEN).');
}

/** @throws InvalidArgumentError without an address: a service inside this process ends with the command */
export function requireUrl({ url, token }: ServiceFlags): void {
  if (url && token) return;
  throw new InvalidArgumentError(
    'This command requires --url and --token (or RXSCRIBE_URL and RXSCRIBE_TOKEN).',
  );
}
