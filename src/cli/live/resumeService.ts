import { InvalidArgumentError } from '../../base/errors.ts';
import { jobsAddress } from '../../client/fallback/jobsAddress.ts';
import type { LeftSpool } from '../../client/spool/spool.ts';
import { checkServiceFlags, type ServiceFlags } from '../flags/serviceOptions.ts';

/** What `resume` was given: an address only by a flag, a token also by the environment. */
export interface ResumeServiceFlags extends ServiceFlags {
  /** Of the environment: the service for which a token that comes from there as well is. */
  readonly environment: { readonly url?: string | undefined; readonly hasToken: boolean };
}

/** The service that repairs a spool. */
export interface ResumeService {
  /** Undefined for one of our own. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** Nobody but this one is asked; otherwise all that the spool names. */
  readonly isChosen: boolean;
}

/**
 * Which service is to repair a spool: that of the flags, one of our own when these name its engine, else those that the
 * spool names. Whoever wrote the file chose those: they get a token only when it was given for them.
 *
 * @throws InvalidArgumentError when there is no token for it
 */
export function resumeService(
  { path, subject }: Pick<LeftSpool, 'path' | 'subject'>,
  flags: ResumeServiceFlags,
): ResumeService {
  const { url, token, engine, model, pause, environment } = flags;
  if (url !== undefined) {
    checkServiceFlags(flags, 'resume');
    return { url, token, isChosen: true };
  }
  const [first] = subject.addresses;
  if (first === undefined || (engine ?? model ?? pause) !== undefined) return { isChosen: true };
  if (token && !environment.hasToken) return { url: first, token, isChosen: false };
  const home = environment.url && jobsAddress(environment.url);
  const isHome = subject.addresses.some(address => jobsAddress(address) === home);
  if (token && home && isHome) return { url: home, token, isChosen: true };
  throw new InvalidArgumentError(
    `resume: needs --token for ${jobsAddress(first)}, the service that ${path} names` +
      (token ? ': RXSCRIBE_TOKEN goes to no other service than that of RXSCRIBE_URL or --url' : ''),
  );
}
