import { findNpm } from './findNpm.ts';

/** Options that npm's libraries take: registries, credentials, proxy, certificates, cache. */
export type NpmOptions = Readonly<Record<string, unknown>>;

/**
 * Reads npm's settings as npm does: of its package, the machine, the user, the project of the working directory, and the
 * environment. Unknown settings are not reported.
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
    // A copy: it is written to.
    env: { ...env },
    cwd: process.cwd(),
    warn: false,
  });
  await config.load();
  return config.flat;
}

/** Returns the address of the registry that has the package of a name. */
export function registryOf(name: string, options: NpmOptions): string {
  const [scope] = /^@[^/]+(?=\/)/.exec(name) ?? [];
  const own = scope && options[`${scope}:registry`];
  return String(own || options.registry).replace(/\/*$/, '/');
}
