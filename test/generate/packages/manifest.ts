import { MIN_NODE } from '../../../src/base/requireNode.ts';

export type PackageName = keyof typeof MIN_NODE;

/** `package.json` of the checkout, as far as it is read here. */
export interface RootManifest {
  readonly [field: string]: unknown;
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
}

const COMMON = ['version', 'license', 'author', 'repository', 'bugs', 'keywords', 'type'] as const;

const DESCRIPTIONS: Readonly<Record<PackageName, string>> = {
  rxscribe:
    'Streaming transcription and live captions on RxJS: sources, operators, client, replay testing, commands',
  '@rxscribe/server': 'Self-hosted speech service of rxscribe, with its engines',
};

/** Returns `package.json` of one of the packages, which imports these others. */
export function manifestOf(
  name: PackageName,
  { root, imported }: { readonly root: RootManifest; readonly imported: ReadonlySet<string> },
): object {
  const other = name === 'rxscribe' ? '@rxscribe/server' : 'rxscribe';
  const pick = (from: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(from).filter(([dependency]) => imported.has(dependency)));
  const dependencies = pick(root.dependencies);
  const peers = pick(root.peerDependencies);
  // The commands find the service when it is there; the service cannot be without the toolkit, and of its own version.
  const [needed, optional] =
    name === 'rxscribe' ? [{}, { [other]: root.version }] : [{ [other]: root.version }, {}];
  const optionalPeers = Object.keys(peers).filter(peer => peer in root.peerDependenciesMeta);
  return {
    name,
    description: DESCRIPTIONS[name],
    ...Object.fromEntries(COMMON.map(field => [field, root[field]])),
    engines: { node: `>=${MIN_NODE[name].join('.')}` },
    ...(name === 'rxscribe' && { bin: root.bin }),
    exports: exportsOf(name),
    dependencies: sorted({ ...dependencies, ...needed }),
    peerDependencies: sorted({ ...peers, ...optional }),
    peerDependenciesMeta: Object.fromEntries(
      [...optionalPeers, ...Object.keys(optional)].map(peer => [peer, { optional: true }]),
    ),
    publishConfig: { access: 'public' },
  };
}

function exportsOf(name: PackageName): object {
  const entry = (file: string, browser?: string) => ({
    types: `./dist/${file}.d.ts`,
    ...(browser !== undefined && { browser }),
    default: `./dist/${file}.js`,
  });
  const nodeEntry = (file: string) => entry(file, './dist/base/needsNode.js');
  const entries =
    name === 'rxscribe'
      ? {
          '.': nodeEntry('index'),
          './browser': entry('browser/browser'),
          './captions': nodeEntry('captions'),
          './server': nodeEntry('server'),
          './replay': nodeEntry('replay'),
          './vitest': nodeEntry('vitest'),
          './errors': entry('base/errors'),
        }
      : { '.': nodeEntry('server') };
  return { ...entries, './package.json': './package.json' };
}

function sorted(record: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
