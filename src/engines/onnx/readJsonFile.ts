import { readFile } from 'node:fs/promises';
import { messageOf, RxscribeError } from '../../base/errors.ts';

/**
 * Reads a JSON object of a model directory.
 *
 * @throws RxscribeError `engine-missing` when it is missing or not an object
 */
export async function readJsonFile(
  path: string | undefined,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (path === undefined) throw new RxscribeError('engine-missing', `load model: wanted ${what}, found none`);
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    throw new Error('no object');
  } catch (cause) {
    const message = `load model: wanted JSON in ${path}, found something else (${messageOf(cause)})`;
    throw new RxscribeError('engine-missing', message, { cause });
  }
}
