/** Downloads of npm packages with the user's settings of npm. */
import { once } from 'node:events';
import type { Tarball } from 'pacote';
import { delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { CatalogueFile, CataloguePackage } from './catalogue.ts';
import type { DownloadFileOptions } from './downloadFile.ts';
import { type NpmOptions, readNpmOptions, registryOf } from './npmOptions.ts';
import { faultText, isBrokenConnection, TransientFailure } from './requestFile.ts';

/** A registry that mirrors on demand sends nothing while it fetches the package itself. */
const STALL_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 1000;
/** Number of top folders in the paths of a package's archive. */
const STRIPPED_FOLDERS = 1;

/**
 * Downloads a package from the user's npm registry, or reads it from npm's cache, and writes the wanted files to a
 * directory, by their paths in the package. Nothing is written before the checksum of the archive is right.
 * `onBytes` gets the bytes of the archive so far; the default of `retries` is npm's `fetch-retries`.
 *
 * @throws the signal's reason; RxscribeError `download` with a remedy; errors of the file system
 */
export async function fetchPackage(
  source: CataloguePackage,
  files: readonly CatalogueFile[],
  directory: string,
  options: DownloadFileOptions = {},
): Promise<void> {
  const npm = await readNpmOptions();
  const archive = await fetchWithRetries(source, npm, options).catch(error => {
    options.signal?.throwIfAborted();
    throw packageFailure(source, registryOf(source.name, npm), error);
  });
  await unpack(archive, files, directory).catch(error => {
    // The caller knows the paths and reports errors of the file system.
    throw 'syscall' in error ? error : packageFailure(source, registryOf(source.name, npm), error);
  });
}

async function fetchWithRetries(
  source: CataloguePackage,
  npm: NpmOptions,
  options: DownloadFileOptions,
): Promise<Buffer> {
  const { signal, onRetry, retryDelayMs = RETRY_DELAY_MS, retries = retriesOf(npm) } = options;
  let cache = npm.cache;
  for (let failures = 0; ; ) {
    signal?.throwIfAborted();
    try {
      return await fetchArchive(source, { ...npm, cache }, options);
    } catch (error) {
      if (cache !== undefined && isOfCache(error, String(cache))) {
        cache = undefined;
        continue;
      }
      failures += 1;
      if (signal?.aborted || !isRetryable(error) || failures > retries) throw error;
      onRetry?.(reasonFor(error));
      await delay(retryDelayMs * 2 ** (failures - 1), { signal });
    }
  }
}

/** Returns the archive of a package, in memory. */
async function fetchArchive(
  source: CataloguePackage,
  npm: NpmOptions,
  { signal: given, onBytes, stallTimeoutMs = STALL_TIMEOUT_MS }: DownloadFileOptions,
): Promise<Buffer> {
  const { default: pacote } = await import('pacote');
  // Also ends the request when the archive is too large.
  const ending = new AbortController();
  const stalled = () => ending.abort(new TransientFailure(`no data for ${stallTimeoutMs / 1000} s`));
  const timer = setTimeout(stalled, stallTimeoutMs);
  const signal = AbortSignal.any(given ? [given, ending.signal] : [ending.signal]);
  const read = (tarball: Tarball) =>
    contentOf(tarball, source.bytes, bytes => {
      timer.refresh();
      onBytes?.(bytes);
    });
  try {
    const fetched = pacote.tarball.stream(`${source.name}@${source.version}`, read, {
      ...npm,
      integrity: source.integrity,
      // With a URL, npm's cache is searched first, and otherwise the registry is asked for the actual one.
      resolved: addressOf(source, npm),
      retry: { retries: 0 },
      signal,
    });
    return await withAbort(fetched, signal);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Resolves with the bytes of a stream. Rejects above the limit, and with the errors of the stream. */
function contentOf(tarball: Tarball, maxBytes: number, onBytes: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    tarball.on('error', reject);
    tarball.on('end', () => resolve(Buffer.concat(pieces)));
    tarball.on('data', piece => {
      bytes += piece.length;
      onBytes(bytes);
      if (bytes <= maxBytes) pieces.push(piece);
      else reject(Object.assign(new Error(`It has more than ${maxBytes} bytes.`), { code: 'EBADSIZE' }));
    });
  });
}

/** Writes the wanted files of an archive, of the expected sizes only: no links, and nothing elsewhere. */
async function unpack(archive: Buffer, files: readonly CatalogueFile[], directory: string): Promise<void> {
  const { extract } = await import('tar');
  const wanted = new Map(files.map(file => [file.path ?? file.name, file.bytes]));
  const unpacking = extract({
    cwd: directory,
    strip: STRIPPED_FOLDERS,
    strict: true,
    filter: (path, entry) => {
      const isFile = 'type' in entry && entry.type.endsWith('File');
      return isFile && wanted.get(path.split('/').slice(STRIPPED_FOLDERS).join('/')) === entry.size;
    },
  });
  // The first error is thrown below, and may be followed by more.
  unpacking.on('error', () => {});
  unpacking.end(archive);
  await once(unpacking, 'close');
}

/** Returns the URL of the archive on registries that follow npm's scheme. */
function addressOf({ name, version }: CataloguePackage, npm: NpmOptions): string {
  const base = name.split('/').at(-1);
  return new URL(`${name}/-/${base}-${version}.tgz`, registryOf(name, npm)).href;
}

/** Returns whether a cache is read-only or full; the download then does without it. */
function isOfCache(error: unknown, cache: string): boolean {
  const { path, dest, code } = error as { path?: string; dest?: string; code?: string };
  const isInside = [path, dest].some(place => place?.startsWith(cache));
  return isInside || ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'].includes(code ?? '');
}

function retriesOf(npm: NpmOptions): number {
  const { retries } = (npm.retry ?? {}) as { retries?: unknown };
  return typeof retries === 'number' ? retries : 2;
}

/** Errors that may be temporary: timeouts of npm's agent, and answers of overloaded registries. */
const TRANSIENT =
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
  const code = faultText(error);
  return error instanceof TransientFailure || isBrokenConnection(code) || TRANSIENT.test(code);
}

/** Returns the reason of a failure, mostly npm's error code, such as `ECONNREFUSED`, `E401` or `EINTEGRITY`. */
function reasonFor(error: unknown): string {
  return error instanceof TransientFailure ? error.message : faultText(error);
}

/** Returns the error of a failed package download, with a remedy. */
function packageFailure(
  { name, version }: Pick<CataloguePackage, 'name' | 'version'>,
  registry: string,
  cause: unknown,
): RxscribeError {
  const code = reasonFor(cause);
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
