import { RxscribeError } from '../../base/errors.ts';
import type { CataloguePackage } from './catalogueModel.ts';
import { faultText, isBrokenConnection, PassingFailure } from './requestFile.ts';

/** Timeouts of npm's agent, and answers of a registry that is overloaded. */
const PASSING =
  /^(ECONNECTIONTIMEOUT|EIDLETIMEOUT|ERESPONSETIMEOUT|ETRANSFERTIMEOUT|ERR_SOCKET_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE|FETCH_ERROR|E408|E420|E425|E429|E5\d\d)$/;

const SETTINGS = "check npm's settings: npm config list";

/** Remedies, by the code of npm's error. */
const ADVICE: readonly (readonly [pattern: RegExp, found: string, advice: string])[] = [
  [
    /^(EINTEGRITY|EBADSIZE|TAR_|Z_)/,
    'other content',
    'Nothing of it was kept. If it stays so, check the registry',
  ],
  [/^ENOTCACHED$/, 'npm set to work offline', 'Run once with a network: npm_config_offline=false'],
  [/^(E401|EOTP|ENEEDAUTH)$/, 'that it wants a login', 'Log in (npm login), or put a token into .npmrc'],
  [/^E403$/, 'that it refuses access', `If a token is wanted, put it into .npmrc; ${SETTINGS}`],
  [/^(E404|ETARGET|ENOVERSIONS)$/, 'that it has none', `For another registry, ${SETTINGS}`],
  [/CERT|SSL|TLS|ISSUER/, 'a certificate that is not trusted', 'Set the authority: npm config set cafile'],
];

/** Returns whether the same request may succeed the next time. */
export function mayPass(error: unknown): boolean {
  if (error instanceof PassingFailure) return true;
  const code = codeOf(error);
  return isBrokenConnection(code) || PASSING.test(code);
}

/** Returns npm's code of a failure, such as `ECONNREFUSED`, `E401` or `EINTEGRITY`. */
export function codeOf(error: unknown): string {
  return faultText(error);
}

/** Returns the error that says what was found in place of a package, and what to do about it. */
export function packageFailure(
  { name, version }: Pick<CataloguePackage, 'name' | 'version'>,
  registry: string,
  cause: unknown,
): RxscribeError {
  const code = cause instanceof PassingFailure ? cause.message : codeOf(cause);
  const [, found, advice] = ADVICE.find(([pattern]) => pattern.test(code)) ?? [
    undefined,
    mayPass(cause) ? 'no connection' : 'a failure',
    `Check the network and the proxy, and ${SETTINGS}. A mirror of models will do as well: RXSCRIBE_MODEL_MIRROR`,
  ];
  return new RxscribeError(
    'download',
    `fetch ${name}@${version}: wanted it of the npm registry ${hostOf(registry)}, found ${found} (${code}). ${advice}`,
    { cause },
  );
}

/** Without a path, which may be secret, and credentials. */
function hostOf(registry: string): string {
  return URL.parse(registry)?.host ?? 'of no address';
}
