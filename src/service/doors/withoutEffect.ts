import type { FastifyBaseLogger } from 'fastify';
import { MAX_IGNORED_OPTION_LENGTH, MAX_IGNORED_OPTIONS } from '../../protocol/limits.ts';

/** Logs names of fields without effect. */
export type WithoutEffect = (accountId: string, names: Iterable<string>, logger: FastifyBaseLogger) => void;

const MAX_KNOWN = 10_000;

/** Creates a log of the fields without effect of a door. Each name is logged once for each account. */
export function createWithoutEffect(door: string): WithoutEffect {
  const known = new Set<string>();
  return (account, names, logger) => {
    const shown = [...names]
      .slice(0, MAX_IGNORED_OPTIONS)
      .map(name => name.slice(0, MAX_IGNORED_OPTION_LENGTH));
    const ignored = shown.filter(name => !known.has(`${account} ${name}`));
    if (ignored.length === 0) return;
    if (known.size > MAX_KNOWN) known.clear();
    for (const name of ignored) known.add(`${account} ${name}`);
    logger.info({ door, account, ignored }, 'options without effect');
  };
}
