import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import { GROUP } from '../help/groups.ts';
import { addEngineOptions, type EngineFlags } from './engineOptions.ts';

/** Which service a command uses; one of its own understands speech as the flags say. */
export interface ServiceFlags extends EngineFlags {
  /** With its token; without it, a service inside this process is used. */
  readonly url?: string;
  readonly token?: string;
  readonly brand: string;
}

export interface ServiceOptionsPlan {
  /** A service of its own would be of no use. Default false. */
  readonly needsUrl?: boolean;
  /** It recognises speech; otherwise it needs no recogniser. Default true. */
  readonly recognizes?: boolean;
  /** Names the service that is used without `--url`: something that the command reads may, so that `--token` is for that. */
  readonly otherwise?: string;
}

/** The options of every command that uses a service. */
export function addServiceOptions(command: Command, plan: ServiceOptionsPlan = {}): Command {
  const { needsUrl = false, recognizes = true, otherwise = 'one of its own' } = plan;
  const url = new Option('--url <url>', 'service to use').env('RXSCRIBE_URL');
  command
    .optionsGroup(GROUP.service)
    .addOption(needsUrl ? url : url.default(undefined, otherwise))
    .addOption(
      new Option(
        '--token <token>',
        'access token for --url; others can see it here, but not in the environment',
      ).env('RXSCRIBE_TOKEN'),
    )
    .addOption(
      new Option('--brand <word>', "the word in the service's media types")
        .env('RXSCRIBE_BRAND')
        .default(NEUTRAL_BRAND),
    );
  if (needsUrl) return command;
  if (plan.otherwise === undefined) command.hook('preAction', () => checkTokenHasUrl(command));
  return addEngineOptions(command, { recognizes });
}

/** The environment is there for other commands. */
export function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === 'cli';
}

function checkTokenHasUrl(command: Command): void {
  if (!isGiven(command, 'token') || command.getOptionValue('url')) return;
  throw new InvalidArgumentError(`${command.name()}: --token goes with --url (or RXSCRIBE_URL)`);
}

/** @throws InvalidArgumentError when an address has no token, or engines are named for a service that has its own */
export function checkServiceFlags(flags: ServiceFlags, command: string): void {
  const { url, token, engine, model, pause } = flags;
  if (url && (engine ?? model ?? pause) !== undefined) {
    throw new InvalidArgumentError(
      `${command}: --engine, --model and --pause are for a service of its own, and do not go with --url`,
    );
  }
  if (url && !token) {
    throw new InvalidArgumentError(`${command}: --url needs --token (or RXSCRIBE_TOKEN)`);
  }
}

/** @throws InvalidArgumentError without an address: a service of one's own is gone when the command ends */
export function requireUrl({ url, token }: ServiceFlags, command: string): void {
  if (!url || !token) {
    throw new InvalidArgumentError(
      `${command}: needs --url and --token (or RXSCRIBE_URL and RXSCRIBE_TOKEN)`,
    );
  }
}
