import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** Options of npm's libraries: registries, credentials, proxy, certificates, cache. */
export type NpmOptions = Readonly<Record<string, unknown>>;

/**
 * Reads npm's settings like npm itself: from its package, the machine, the user, the project in the working
 * directory, and the environment. Unknown settings are not reported.
 */
export async function readNpmOptions(env: NodeJS.ProcessEnv = process.env): Promise<NpmOptions> {
  const [{ default: Config }, { default: definitions }, place] = await Promise.all([
    import('@npmcli/config'),
    import('@npmcli/config/lib/definitions/index.js'),
    findNpm(env),
  ]);
  const config = new Config({
    ...definitions,
    ...place,
    argv: [],
    // A copy, because it is modified.
    env: { ...env },
    cwd: process.cwd(),
    warn: false,
  });
  await config.load();
  return config.flat;
}

/** Returns the URL of the registry of a package. */
export function registryOf(name: string, options: NpmOptions): string {
  const [scope] = /^@[^/]+(?=\/)/.exec(name) ?? [];
  const own = scope && options[`${scope}:registry`];
  return String(own || options.registry).replace(/\/*$/, '/');
}

/** Location of npm, which determines the global settings. */
interface NpmPlace {
  /** Directory of its package. */
  readonly npmPath: string;
  /** Path of the Node that runs it. */
  readonly execPath: string;
}

const NPM_PROGRAM = 'npm-cli.js';

/**
 * Returns the npm that runs this process, otherwise the first one on the PATH with the Node beside it, as a
 * shell would start it. The Node of this process may be another one, with other global settings.
 */
export async function findNpm(env: NodeJS.ProcessEnv = process.env): Promise<NpmPlace> {
  const { npm_execpath: running = '', npm_node_execpath: runner } = env;
  if (basename(running) === NPM_PROGRAM && runner) return { npmPath: packageOf(running), execPath: runner };
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const program = await existing(join(folder, 'npm'));
    if (program === undefined || basename(program) !== NPM_PROGRAM) continue;
    const execPath = (await existing(join(folder, 'node'))) ?? process.execPath;
    return { npmPath: packageOf(program), execPath };
  }
  const beside = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm');
  return { npmPath: beside, execPath: process.execPath };
}

function packageOf(program: string): string {
  return dirname(dirname(program));
}

/** Resolves links; undefined when nothing is there. */
function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
