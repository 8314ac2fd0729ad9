import type { Engines } from '../../engines/engines.ts';
import type { Recognizer } from '../../engines/recognizer.ts';
import type { LimitChanges } from '../../service/limits.ts';
import type { Context } from '../context.ts';
import { type EnginesOptions, enginesOf } from './engines.ts';

/** A service inside this process, for this process alone. */
export interface EmbeddedService extends AsyncDisposable, Pick<Recognizer, 'inspectPhrases'> {
  readonly url: string;
  readonly token: string;
  /** Name of the recogniser. */
  readonly recognizer: string;
  /** Resolves when recogniser and database are ready; rejects with the reason when one of them fails. */
  readonly ready: Promise<void>;
}

export interface EmbeddedServiceOptions extends EnginesOptions {
  readonly brand: string;
  /** Stores jobs, in memory. Default false: nothing is stored, and no database has to start. */
  readonly keepsJobs?: boolean;
  /** Limits other than those of `serve`. */
  readonly limits?: LimitChanges;
  /** Called when the files of the engines are there, and the service starts. */
  readonly onStart?: () => void;
}

const MAX_HEADER_BYTES = 4 * 1024 * 1024;

/** Starts a service on a free port of the loopback address; disposing of it stops the service and removes all its data. */
export async function embeddedService(
  context: Context,
  options: EmbeddedServiceOptions,
): Promise<EmbeddedService> {
  const { recognizes = true, onStart } = options;
  const engines = await enginesOf(context, options);
  onStart?.();
  // The recogniser loads in its own process while this one loads the service; the service reports a failure.
  if (recognizes) engines.recognizer.warm().catch(() => {});
  try {
    const { service, token } = await serviceWith(engines, options);
    return {
      url: service.url,
      token,
      recognizer: engines.recognizer.name,
      ready: service.ready,
      inspectPhrases: phrases => engines.recognizer.inspectPhrases(phrases),
      async [Symbol.asyncDispose]() {
        try {
          await service.close();
        } finally {
          await engines.close();
        }
      },
    };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

async function serviceWith(
  { recognizer, ...engines }: Engines,
  { brand, recognizes = true, keepsJobs = false, limits }: EmbeddedServiceOptions,
) {
  const [{ createToken }, { createFixedAccount }, { createService }] = await Promise.all([
    import('../../service/accounts/tokens.ts'),
    import('../../service/accounts/fixedAccount.ts'),
    import('../../service/app.ts'),
  ]);
  const token = createToken();
  const service = await createService({
    ...(keepsJobs ? { token } : { accounts: createFixedAccount(token) }),
    brand,
    port: 0,
    logLevel: 'silent',
    // The only client has ended by then.
    drainSeconds: 0,
    // The phrases of a vocabulary are in the address of a stream.
    limits: { ...limits, http: { headerBytes: MAX_HEADER_BYTES, ...limits?.http } },
    // The only user of this service also names the addresses.
    allowPrivateAddresses: true,
    ...engines,
    // A service that recognises nothing is ready without a recogniser.
    recognizer: recognizes ? recognizer : { ...recognizer, warm: async () => {} },
  });
  return { service, token };
}
