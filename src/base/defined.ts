/**
 * Returns an object without its undefined fields, which would hide defaults when it is spread over them.
 *
 * @example
 * defined({ port: 80, host: undefined }); // { port: 80 }
 */
export function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
