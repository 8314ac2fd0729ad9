import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Balancer, startBalancer } from '../../../helpers/balancer.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { freePorts } from '../../../helpers/freePorts.ts';
import type { LimitedServiceOptions } from '../../../helpers/limitedService.ts';
import { type ObjectServer, startObjectServer } from '../../../helpers/objectServer.ts';
import {
  databasePlace,
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from '../../../helpers/postgresServer.ts';
import { TEST_TOKEN } from '../../../helpers/testService.ts';
import { type Link, openLink } from './load/chaosFaults.ts';

interface InstallationOptions extends Pick<LimitedServiceOptions, 'limits'> {
  /** Directory of the processes' own files and logs. */
  readonly directory: string;
  /** Number of processes of each role. */
  readonly api: number;
  readonly worker: number;
  /** Recordings that each worker transcribes at a time. */
  readonly jobsAtOnce: number;
  /** Milliseconds that the recogniser takes for each piece of audio. */
  readonly workMs: number;
}

/** Processes of a service on servers of their own, behind two load balancers. */
export interface Installation extends AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly balancers: readonly Balancer[];
  readonly database: PostgresServer;
  readonly databaseUrl: string;
  readonly objects: ObjectServer;
  readonly place: { readonly url: string; readonly endpoint?: string };
}

interface MachineParts {
  readonly name: string;
  readonly port: number;
  readonly databaseLink: Link;
  readonly objectsLink: Link;
  readonly options: object;
  readonly log: string;
}

/** One process, with a network of its own to each server. */
export class Machine {
  /** Codes of the ends after SIGTERM. */
  readonly exits: (number | null)[] = [];
  readonly parts: MachineParts;
  #process: ChildProcess | undefined;

  constructor(parts: MachineParts) {
    this.parts = parts;
  }

  start(): void {
    const program = new URL('./machineMain.ts', import.meta.url).pathname;
    const child = spawn(
      process.execPath,
      ['--conditions=source', program, JSON.stringify(this.parts.options)],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    child.stderr!.pipe(createWriteStream(this.parts.log, { flags: 'a' }));
    this.#process = child;
  }

  pause(): void {
    this.#process!.kill('SIGSTOP');
  }

  goOn(): void {
    this.#process!.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends the process in an orderly way. */
  async stop(): Promise<void> {
    this.exits.push(await this.#end('SIGTERM'));
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#process!;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    return (await exited)[0];
  }
}

/** Starts an installation, and waits until it takes streams. */
export async function install(options: InstallationOptions): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const programs = postgresPrograms();
  if (!programs) throw new Error('wanted PostgreSQL, found none (apt-get install postgresql)');
  const database = stack.use(await startPostgres(programs));
  const databaseUrl = await database.createDatabase();
  const { path, name: databaseName } = databasePlace(databaseUrl);
  const objects = stack.use(await startObjectServer());
  const place = objects.createPlace();
  const roles = [
    ...Array.from({ length: options.api }, (_, index) => ['api', index + 1] as const),
    ...Array.from({ length: options.worker }, (_, index) => ['worker', index + 1] as const),
  ];
  const ports = await freePorts(roles.length);
  const machines: Machine[] = [];
  for (const [at, [role, number]] of roles.entries()) {
    const name = `${role}-${number}`;
    const databaseLink = stack.use(await openLink({ path }));
    const objectsLink = stack.use(await openLink({ port: Number(new URL(objects.endpoint).port) }));
    machines.push(
      new Machine({
        name,
        port: ports[at]!,
        databaseLink,
        objectsLink,
        log: join(options.directory, `${name}.log`),
        options: {
          role,
          port: ports[at],
          dataDirectory: join(options.directory, name),
          databaseUrl: `postgres://test@127.0.0.1:${databaseLink.port}/${databaseName}`,
          objects: { url: place.url, endpoint: `http://127.0.0.1:${objectsLink.port}` },
          token: TEST_TOKEN,
          allowPrivateAddresses: true,
          jobsAtOnce: options.jobsAtOnce,
          limits: options.limits,
          workMs: options.workMs,
        },
      }),
    );
  }
  stack.defer(async () => {
    await Promise.all(machines.map(machine => machine.kill()));
  });
  // One after the other: the first one makes the tables.
  for (const machine of machines) {
    machine.start();
    await untilReady(machine.parts);
  }
  const apis = machines.map(({ parts }) => parts).filter(({ name }) => name.startsWith('api'));
  const balancers = [];
  for (const name of ['haproxy', 'nginx'] as const)
    balancers.push(stack.use(await startBalancer(name, apis)));
  const owned = stack.move();
  const dispose = () => owned.disposeAsync();
  return { machines, balancers, database, databaseUrl, objects, place, [Symbol.asyncDispose]: dispose };
}

/** Waits until a process has all that it needs. */
async function untilReady({ port }: MachineParts): Promise<void> {
  await eventually(async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/health/ready`);
    if (status !== 200) throw new Error(`wanted status 200, found ${status}`);
  });
}
