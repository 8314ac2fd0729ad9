import type { Engines } from '../../engines/engines.ts';
import type { EngineFlags } from '../flags/engineOptions.ts';
import { enginesOf } from './engines.ts';

/** A service inside this process, for this process alone. */
export interface EmbeddedService extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Rejects with the reason when the recogniser cannot be had. */
  readonly ready: Promise<void>;
}

export interface EmbeddedServiceOptions extends EngineFlags {
  readonly brand: string;
  /** Jobs are kept, in memory, as long as it runs. Default: it keeps nothing, and so waits for no database. */
  readonly keepsJobs?: boolean;
  /** It recognises speech: its recogniser is made ready. Default true. */
  readonly recognizes?: boolean;
}

/** Starts a service on a free port of the loopback address, of which nothing is left when it is disposed of. */
export async function embeddedService(options: EmbeddedServiceOptions): Promise<EmbeddedService> {
  const engines = await enginesOf(options, options);
  // The recogniser loads in its own process while this one loads the service, which asks again and is told of a failure.
  if (options.recognizes ?? true) engines.recognizer.warm().catch(() => {});
  try {
    const { service, token } = await serviceWith(engines, options);
    return {
      url: service.url,
      token,
      ready: service.ready,
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

async function serviceWith(engines: Engines, { brand, keepsJobs = false }: EmbeddedServiceOptions) {
  const { createToken } = await import('../../service/accounts/tokens.ts');
  const { createService } = await import('../../service/app.ts');
  const token = createToken();
  const keeping = keepsJobs ? { token } : await keepingNothing(token);
  const service = await createService({
    ...keeping,
    brand,
    port: 0,
    logLevel: 'silent',
    // Whoever names an address is the only one who uses the service.
    allowPrivateAddresses: true,
    ...engines,
  });
  return { service, token };
}

async function keepingNothing(token: string) {
  const { createFixedAccount } = await import('../../service/accounts/fixedAccount.ts');
  return { accounts: createFixedAccount(token) };
}
