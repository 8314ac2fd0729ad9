import { firstValueFrom } from 'rxjs';
import type { LogLevel } from '../../base/logLevel.ts';
import { createService } from '../../service/app.ts';
import type { EngineFlags } from '../engineOptions.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';
import { enginesOf } from './engines.ts';

export interface ServeOptions extends EngineFlags {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly brand: string;
  readonly region: 'us' | 'eu';
  readonly allowPrivateAddresses?: boolean;
  readonly logLevel: LogLevel;
}

/** Runs the service until SIGTERM or SIGINT; then sessions end, and all that is to be kept is written. */
export async function runService(options: ServeOptions): Promise<void> {
  // From the start, so that a signal while starting is not lost.
  using interruption = takeInterruptions(STOPPED);
  await using engines = await enginesOf(options);
  await using service = await createService({
    host: options.host,
    port: options.port,
    dataDirectory: options.data,
    databaseUrl: process.env.DATABASE_URL,
    token: options.token,
    adminToken: options.adminToken,
    brand: options.brand,
    region: options.region,
    allowPrivateAddresses: options.allowPrivateAddresses,
    logLevel: options.logLevel,
    ...engines,
  });
  process.stdout.write(`rxscribe listening on ${service.url}\n`);
  void service.initialToken.then(token => token && showToken(token));
  await firstValueFrom(interruption.interrupted$);
}

/** Past the logger, which would hide it. What is not a terminal gets a line of JSON, as all of stderr is. */
function showToken(token: string): void {
  const message = 'a first account was made; its access token is shown this once';
  const line = process.stderr.isTTY
    ? `${message}: ${token}`
    : JSON.stringify({ level: 30, time: Date.now(), token, msg: message });
  process.stderr.write(`${line}\n`);
}
