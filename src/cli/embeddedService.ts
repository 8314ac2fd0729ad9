import { randomBytes } from 'node:crypto';
import { createService } from '../service/app.ts';
import { createFixedAccount } from '../service/fixedAccount.ts';
import { createRecognizer } from './engine.ts';

/** A service inside this process, for this process alone. */
export interface EmbeddedService extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/** Starts a service on a free port of the loopback address. It stores nothing, and so waits for no database. */
export async function embeddedService(options: { readonly brand: string }): Promise<EmbeddedService> {
  const token = randomBytes(32).toString('base64url');
  const recognizer = createRecognizer('pocketsphinx');
  const service = await createService({
    host: '127.0.0.1',
    port: 0,
    brand: options.brand,
    logLevel: 'silent',
    accounts: createFixedAccount(token),
    recognizer,
  });
  return {
    url: service.url,
    token,
    async [Symbol.asyncDispose]() {
      await service.close();
      await recognizer.close();
    },
  };
}
