import { randomBytes } from 'node:crypto';
import { createRecognizer, DEFAULT_ENGINE } from './engine.ts';

/** A service inside this process, for this process alone. */
export interface EmbeddedService extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Rejects with the reason when the recogniser cannot be had. */
  readonly ready: Promise<void>;
}

/** Starts a service on a free port of the loopback address. It stores nothing, and so waits for no database. */
export async function embeddedService({ brand }: { readonly brand: string }): Promise<EmbeddedService> {
  const recognizer = await createRecognizer(DEFAULT_ENGINE, { spareDecoders: 0 });
  // The recogniser loads in its own process while this one loads the service, which asks again and is told of a failure.
  recognizer.warm().catch(() => {});
  const { createFixedAccount } = await import('../service/accounts/fixedAccount.ts');
  const { createService } = await import('../service/app.ts');
  const token = randomBytes(32).toString('base64url');
  const service = await createService({
    brand,
    port: 0,
    logLevel: 'silent',
    accounts: createFixedAccount(token),
    recognizer,
  });
  return {
    url: service.url,
    token,
    ready: service.ready,
    async [Symbol.asyncDispose]() {
      await service.close();
      await recognizer.close();
    },
  };
}
