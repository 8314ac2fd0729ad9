import type { Tarball } from 'pacote';
import { delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { CatalogueFile, CataloguePackage } from './catalogue.ts';
import type { DownloadFileOptions } from './downloadFile.ts';
import { type NpmOptions, readNpmOptions, registryOf } from './npmOptions.ts';
import { faultText, isBrokenConnection, PassingFailure } from './requestFile.ts';
import { UnpackFailure, unpackArchive } from './unpackArchive.ts';

type RetryOptions = Required<Pick<DownloadFileOptions, 'retryDelayMs' | 'stallTimeoutMs'>>;

/** Defaults of {@link fetchPackage} that differ from those of a file. */
const FETCH_PACKAGE_DEFAULTS: RetryOptions = {
  retryDelayMs: 1000,
  /** A registry that mirrors on demand sends nothing while it fetches the package itself. */
  stallTimeoutMs: 60_000,
};

/** A package download in progress. */
interface Work {
  readonly source: CataloguePackage;
  readonly files: readonly CatalogueFile[];
  readonly directory: string;
  readonly onBytes?: (bytes: number) => void;
  readonly npm: NpmOptions;
  readonly options: DownloadFileOptions & RetryOptions;
}

/**
 * Downloads a package from the user's npm registry, or reads it from npm's cache, and writes the wanted files
 * to a directory by their names. They are valid only once this resolves: the archive is verified at
 * its end. `onBytes` gets the bytes of the archive so far; the default of `retries` is npm's `fetch-retries`.
 *
 * @throws the signal's reason; RxscribeError `download` with a remedy; errors of the file system
 */
export async function fetchPackage(
  source: CataloguePackage,
  files: readonly CatalogueFile[],
  directory: string,
  options: DownloadFileOptions = {},
): Promise<void> {
  const { signal, onRetry } = options;
  const npm = await readNpmOptions();
  const set = { ...FETCH_PACKAGE_DEFAULTS, ...options };
  const work: Work = { source, files, directory, npm, options: set, onBytes: set.onBytes };
  const retries = options.retries ?? retriesOf(npm);
  let cache = npm.cache;
  for (let failures = 0; ; ) {
    signal?.throwIfAborted();
    try {
      return await fetchOnce({ ...work, npm: { ...npm, cache } });
    } catch (error) {
      signal?.throwIfAborted();
      if (cache !== undefined && isOfCache(error, String(cache))) {
        cache = undefined;
        continue;
      }
      failures += 1;
      if (!isRetryable(error) || failures > retries) throw failureOf(work, error);
      onRetry?.(error instanceof PassingFailure ? error.message : codeOf(error));
      await delay(set.retryDelayMs * 2 ** (failures - 1), { signal });
    }
  }
}

async function fetchOnce(work: Work): Promise<void> {
  const { source, npm, options } = work;
  const { default: pacote } = await import('pacote');
  // Also ends the request when writing fails.
  const ending = new AbortController();
  const stalled = () => ending.abort(new PassingFailure(`no data for ${options.stallTimeoutMs / 1000} s`));
  const timer = setTimeout(stalled, options.stallTimeoutMs);
  const signal = AbortSignal.any(options.signal ? [options.signal, ending.signal] : [ending.signal]);
  const aborted = rejection(signal);
  let unpacked: Promise<void> | undefined;
  try {
    const handle = (tarball: Tarball) => {
      // Before anything reads: npm's cache emits at once that it has no such content.
      const ended = Promise.race([aborted, failureOfStream(tarball)]);
      ended.catch(() => {});
      unpacked = unpackArchive(piecesOf(tarball, ended, timer), { ...work, maxBytes: source.bytes });
      return unpacked;
    };
    const fetched = pacote.tarball.stream(`${source.name}@${source.version}`, handle, {
      ...npm,
      integrity: source.integrity,
      // With a URL, npm's cache is searched first, and otherwise the registry is asked for the actual one.
      resolved: addressOf(work),
      retry: { retries: 0 },
      signal,
    });
    await Promise.race([fetched, aborted]);
  } finally {
    clearTimeout(timer);
    ending.abort();
    // Afterwards nothing is being written.
    await unpacked?.catch(() => {});
  }
}

/** Rejects with the reason of a signal, without an unhandled rejection. */
function rejection(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  rejected.catch(() => {});
  return rejected;
}

/** Rejects with the first error of a stream, whether or not anything reads it. */
function failureOfStream(tarball: Tarball): Promise<never> {
  return new Promise((_, reject) => void tarball.on('error', reject));
}

async function* piecesOf(
  tarball: Tarball,
  ended: Promise<never>,
  timer: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  const pieces = tarball[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([pieces.next(), ended]);
    if (done) return;
    timer.refresh();
    yield value;
  }
}

/** Returns the URL of the archive on registries that follow npm's scheme. */
function addressOf({ source: { name, version }, npm }: Work): string {
  const base = name.split('/').at(-1);
  return new URL(`${name}/-/${base}-${version}.tgz`, registryOf(name, npm)).href;
}

/** Returns whether a cache is read-only or full; the download then does without it. */
function isOfCache(error: unknown, cache: string): boolean {
  if (error instanceof UnpackFailure) return false;
  const { path, dest, code } = error as { path?: string; dest?: string; code?: string };
  const isInside = [path, dest].some(place => place?.startsWith(cache));
  return isInside || ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'].includes(code ?? '');
}

function failureOf({ source, npm }: Work, error: unknown): unknown {
  // The caller knows the paths and reports file system errors.
  if (error instanceof UnpackFailure && error.isOfSystem) return error.cause;
  const cause = error instanceof UnpackFailure ? error.cause : error;
  return packageFailure(source, registryOf(source.name, npm), cause);
}

function retriesOf(npm: NpmOptions): number {
  const { retries } = (npm.retry ?? {}) as { retries?: unknown };
  return typeof retries === 'number' ? retries : 2;
}

/** Errors that may be temporary: timeouts of npm's agent, and answers of overloaded registries. */
const PASSING =
  /^(ECONNECTIONTIMEOUT|EIDLETIMEOUT|ERESPONSETIMEOUT|ETRANSFERTIMEOUT|ERR_SOCKET_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE|FETCH_ERROR|E408|E420|E425|E429|E5\d\d)$/;

const SETTINGS = "Check npm's settings with 'npm config list'.";

/** Remedies by npm's error codes. */
const ADVICE: readonly (readonly [pattern: RegExp, problem: string, advice: string])[] = [
  [
    /^(EINTEGRITY|EBADSIZE|TAR_|Z_)/,
    'its archive is damaged',
    'Nothing was kept. Try again, and if it persists, check the registry.',
  ],
  [/^ENOTCACHED$/, 'npm is set to work offline', 'Run the command once with npm_config_offline=false.'],
  [/^(E401|EOTP|ENEEDAUTH)$/, 'the registry requires a login', "Run 'npm login', or add a token to .npmrc."],
  [/^E403$/, 'the registry denies access', `If it needs a token, add one to .npmrc. ${SETTINGS}`],
  [
    /^(E404|ETARGET|ENOVERSIONS)$/,
    'the registry does not have it',
    `To use another registry, change npm's settings. ${SETTINGS}`,
  ],
  [
    /CERT|SSL|TLS|ISSUER/,
    'the certificate of the registry is not trusted',
    "Set the authority with 'npm config set cafile'.",
  ],
];

/** Returns whether the same request may succeed later. */
function isRetryable(error: unknown): boolean {
  if (error instanceof PassingFailure) return true;
  const code = codeOf(error);
  return isBrokenConnection(code) || PASSING.test(code);
}

/** Returns npm's error code, such as `ECONNREFUSED`, `E401` or `EINTEGRITY`. */
function codeOf(error: unknown): string {
  return faultText(error);
}

/** Returns the error of a failed package download, with a remedy. */
function packageFailure(
  { name, version }: Pick<CataloguePackage, 'name' | 'version'>,
  registry: string,
  cause: unknown,
): RxscribeError {
  const code = cause instanceof PassingFailure ? cause.message : codeOf(cause);
  const [, problem, advice] = ADVICE.find(([pattern]) => pattern.test(code)) ?? [
    undefined,
    isRetryable(cause) ? 'there is no connection' : 'the download failed',
    `Check the network and the proxy. ${SETTINGS} Or set RXSCRIBE_MODEL_MIRROR to a mirror of models.`,
  ];
  return new RxscribeError(
    'download',
    `Cannot download '${name}@${version}' from the npm registry '${hostOf(registry)}': ${problem} (${code}). ${advice}`,
    { cause },
  );
}

/** Returns the host of a registry, without path and credentials, which may be secret. */
function hostOf(registry: string): string {
  return URL.parse(registry)?.host ?? 'invalid URL';
}
