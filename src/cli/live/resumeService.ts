import { InvalidArgumentError } from '../../base/errors.ts';
import { jobsAddress } from '../../client/fallback/asyncFallback.ts';
import type { AbandonedSpool } from '../../client/spool/spool.ts';
import { chooseEngines } from '../flags/engineOptions.ts';
import { checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';

/** Service flags of `resume`: the address only of a flag, the token also of the environment. */
export interface ResumeServiceFlags extends ServiceFlags {
  /** Service of the environment, to which a token of the environment belongs. */
  readonly environment: { readonly url?: string | undefined; readonly hasToken: boolean };
}

/** The service that repairs a spool. */
export interface ResumeService {
  /** Undefined for a service inside this process. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** True when only this service is called; false to call all services named by the spool. */
  readonly isChosen: boolean;
}

/**
 * Returns the service that repairs a spool: that of the flags, an embedded one when they name its engines, else those that the
 * spool names. The services of a spool were chosen by its writer, and get only a token that was given for them.
 *
 * @throws InvalidArgumentError when there is no token for the service
 */
export function resumeService(
  { path, subject }: Pick<AbandonedSpool, 'path' | 'subject'>,
  flags: ResumeServiceFlags,
): ResumeService {
  const { url, token, environment } = flags;
  if (url !== undefined) {
    checkServiceFlags(flags);
    return { url, token, isChosen: true };
  }
  const [first] = subject.addresses;
  if (first === undefined || chooseEngines(flags)) return { isChosen: true };
  if (token && !environment.hasToken) return { url: first, token, isChosen: false };
  const home = environment.url && jobsAddress(environment.url);
  const isHome = subject.addresses.some(address => jobsAddress(address) === home);
  if (token && home && isHome) return { url: home, token, isChosen: true };
  throw new InvalidArgumentError(
    `The spool '${path}' requires --token for its service ${jobsAddress(first)}.` +
      (token ? ' RXSCRIBE_TOKEN is only sent to the service of RXSCRIBE_URL or --url.' : ''),
  );
}
