import { readFile } from 'node:fs/promises';
import { RxscribeError, reasonOf } from '../../base/errors.ts';

/**
 * Reads a JSON object of a model directory.
 *
 * @throws RxscribeError `engine-missing` when it is missing or not an object
 */
export async function readJsonFile(
  path: string | undefined,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (path === undefined)
    throw new RxscribeError('engine-missing', `Cannot load the model: its ${what} is missing.`);
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    throw new Error('it is not an object');
  } catch (cause) {
    const message = `Cannot read '${path}' as JSON: ${reasonOf(cause)}.`;
    throw new RxscribeError('engine-missing', message, { cause });
  }
}
