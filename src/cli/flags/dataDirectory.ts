import envPaths from 'env-paths';

/** Where a service keeps everything unless it is told. */
export function defaultDataDirectory(): string {
  return envPaths('rxscribe', { suffix: '' }).data;
}
