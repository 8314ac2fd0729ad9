import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { messageOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';

/** In the data directory, of the first token that nobody could be shown. */
export const FIRST_TOKEN_FILE = 'first-token';

export interface HandOutOptions {
  readonly directory: string;
  readonly terminal: NodeJS.WriteStream;
  readonly logger: FastifyBaseLogger;
}

/**
 * Gives the token of a first start to its operator: shows it on the terminal, or, where nobody watches, writes it to a
 * file that only the owner of this process can read. Logs are read by others, so it is never in one.
 */
export async function handOutToken(
  token: string,
  { directory, terminal, logger }: HandOutOptions,
): Promise<void> {
  if (terminal.isTTY) {
    terminal.write(`a first account was made; its access token is shown this once: ${token}\n`);
    return;
  }
  const path = join(directory, FIRST_TOKEN_FILE);
  const draft = `${path}.${createId()}`;
  try {
    await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
    logger.info(`a first account was made; its access token is in ${path}`);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    logger.error(
      `a first account was made, but its access token could not be written to ${path} (${messageOf(error)}): ` +
        'make another one with "rxscribe account token create owner"',
    );
  }
}
