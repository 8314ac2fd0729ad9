import type { Engines } from '../../engines/engines.ts';
import type { EmbeddedService, EmbeddedServiceOptions, EngineIo } from '../provided.ts';
import { enginesOf } from './engines.ts';

const MAX_HEADER_BYTES = 4 * 1024 * 1024;

/** Starts a service on a free port of the loopback address; disposing of it stops the service and removes all its data. */
export async function embeddedService(
  io: EngineIo,
  options: EmbeddedServiceOptions,
): Promise<EmbeddedService> {
  const { recognizes = true, onStart } = options;
  const engines = await enginesOf(io, options);
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
  { brand, recognizes = true, keepsJobs = false }: EmbeddedServiceOptions,
) {
  const [{ createToken }, { createFixedAccount }, { startService }] = await Promise.all([
    import('../../service/accounts/tokens.ts'),
    import('../../service/accounts/fixedAccount.ts'),
    import('../../service/app.ts'),
  ]);
  const token = createToken();
  const options = {
    ...(keepsJobs ? { token } : { accounts: createFixedAccount(token) }),
    brand,
    port: 0,
    logLevel: 'silent' as const,
    // The only client has ended by then.
    drainSeconds: 0,
    // The only user of this service also names the addresses.
    allowPrivateAddresses: true,
    ...engines,
    // A service that recognises nothing is ready without a recogniser.
    recognizer: recognizes ? recognizer : { ...recognizer, warm: async () => {} },
  };
  // The phrases of a vocabulary are in the address of a stream.
  const service = await startService(options, { http: { headerBytes: MAX_HEADER_BYTES } });
  return { service, token };
}
