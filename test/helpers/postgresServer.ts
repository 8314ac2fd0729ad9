import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server of its own, on a socket in a temporary directory. */
export interface PostgresServer extends AsyncDisposable {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Ends the server and its connections at once. */
  stop(): Promise<void>;
  /** Starts the server again after a stop, with its data. */
  start(): Promise<void>;
  /** Pauses all processes of the server: connections stay open, and nothing answers. */
  pause(): void;
  goOn(): void;
}

const BASE = '/usr/lib/postgresql';

/** Returns the directory of the newest installed server, or undefined. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(BASE)) return undefined;
  const [version] = readdirSync(BASE).sort((a, b) => Number(b) - Number(a));
  const directory = join(BASE, version ?? '', 'bin');
  return existsSync(join(directory, 'initdb')) ? directory : undefined;
}

/** Starts a server; it does not run as root, so that root lends it the account that the package made. */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'rxscribe-postgres-'));
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid!);
  const data = join(directory, 'data');
  const common = { ...owner, cwd: directory, stdio: 'ignore' } as const;
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-N', '-E', 'UTF8'],
    common,
  );
  const urlOf = (name: string) => `postgres://test@/${name}?host=${encodeURIComponent(directory)}`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const options = ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-c', 'fsync=off'];
    server = spawn(join(programs, 'postgres'), options, common);
    await execute(urlOf('postgres'), 'select 1');
  };
  /** The server first, which then starts no other process. */
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    server!.kill(name);
    const children = readFileSync(`/proc/${server!.pid}/task/${server!.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ')) {
      try {
        process.kill(Number(pid), name);
      } catch (error) {
        // A process of the server may end between the two lines.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  const pause = () => signal('SIGSTOP');
  const goOn = () => signal('SIGCONT');
  const stop = async () => {
    if (!server) return;
    goOn();
    const exited = once(server, 'exit');
    server.kill('SIGQUIT');
    await exited;
    server = undefined;
  };
  await start();
  let databases = 0;
  return {
    async createDatabase() {
      const name = `test${databases++}`;
      await execute(urlOf('postgres'), `create database ${name}`);
      return urlOf(name);
    },
    start,
    stop,
    pause,
    goOn,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function idOf(kind: '-u' | '-g'): number {
  return Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
}

/** Runs one statement as soon as the server accepts it. */
async function execute(url: string, sql: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query(sql);
      return;
    } catch (error) {
      if (attempt === 300) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Returns the socket and the name of a database. */
export function databasePlace(databaseUrl: string): { readonly path: string; readonly name: string } {
  // Without a host, it is no URL by the rules of the web.
  const { searchParams, pathname } = new URL(databaseUrl.replace('@/', '@localhost/'));
  return { path: join(searchParams.get('host')!, '.s.PGSQL.5432'), name: pathname.slice(1) };
}
