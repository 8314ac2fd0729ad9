import { refuseIf } from '../../base/errors.ts';
import { DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import type { EngineFlags } from '../provided.ts';
import { isGiven } from './contextCommand.ts';
import { chooseEngines, ENGINE_OPTIONS } from './engineOptions.ts';
import { type FlagsOf, type OptionGroup, optionGroup } from './optionGroup.ts';
import { COMMAND_LINE_NOTE, serviceUrl } from './optionValues.ts';

const accessTable = (otherwise?: string) => ({
  '--url <url>': { help: 'service to use', env: 'RXSCRIBE_URL', parse: serviceUrl, otherwise },
  '--token <token>': { help: `access token for --url; ${COMMAND_LINE_NOTE}`, env: 'RXSCRIBE_TOKEN' },
  '--brand <word>': {
    help: "brand in the service's media types",
    env: 'RXSCRIBE_BRAND',
    default: DEFAULT_BRAND,
  },
});

/** Options of commands that only make sense with a service that outlives them. */
export const NAMED_SERVICE_OPTIONS = optionGroup('Service', accessTable(), requireUrl);

/** The service that a command uses: the one at `url`, else one inside this process with the engines of the flags. */
export interface ServiceFlags extends EngineFlags, FlagsOf<typeof NAMED_SERVICE_OPTIONS> {}

const checkTokenHasUrl: OptionGroup<FlagsOf<typeof NAMED_SERVICE_OPTIONS>>['check'] = ({ url }, command) =>
  refuseIf(isGiven(command, 'token') && !url, '--token requires --url (or RXSCRIBE_URL).');

/** The service of a command, by default one inside this process. */
export const SERVICE_OPTIONS = optionGroup('Service', accessTable('an embedded service'), checkTokenHasUrl);

export interface ServiceOptionsPlan {
  /** Description of the service that is used without `--url`, where `--token` may belong to that one. */
  readonly otherwise?: string;
}

/** Returns the options of a command that recognises speech with a service, by default one inside this process. */
export function serviceOptions({ otherwise }: ServiceOptionsPlan = {}) {
  const service = otherwise === undefined ? SERVICE_OPTIONS : optionGroup('Service', accessTable(otherwise));
  return [service, ENGINE_OPTIONS] as const;
}

/** @throws InvalidArgumentError when an address has no token, or engines are given for a service that has its own */
export function checkServiceFlags(flags: ServiceFlags): void {
  const { url, token } = flags;
  if (!url) return;
  refuseIf(
    chooseEngines(flags),
    '--engine, --model and --pause cannot be used with --url: that service has its own engines.',
  );
  refuseIf(!token, '--url requires --token (or RXSCRIBE_TOKEN).');
}

/** @throws InvalidArgumentError without an address: a service inside this process ends with the command */
export function requireUrl({ url, token }: { readonly url?: string; readonly token?: string }): void {
  refuseIf(!(url && token), 'This command requires --url and --token (or RXSCRIBE_URL and RXSCRIBE_TOKEN).');
}
