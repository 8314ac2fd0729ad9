import { fdatasyncSync, readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Major version of the embedded PostgreSQL; data directories depend on it. */
export const EMBEDDED_POSTGRES_MAJOR = 18;

type Mode = { mode?: number };

/** The changed parts of the engine's file system. */
interface FileOperations {
  readonly NODEFS: {
    readonly node_ops: {
      mknod(parent: unknown, name: string, mode: number, device: number): unknown;
      setattr(node: unknown, attributes: Mode): void;
    };
    readonly stream_ops: {
      setattr(stream: unknown, attributes: Mode): void;
      fsync?(stream: { nfd: number }): number;
    };
  };
}

type Preparation = Parameters<NodeFS['init']>[1];

/**
 * A file system whose files are private and on the disk when a commit returns. By default the engine makes them readable
 * for everybody and never calls fsync.
 */
class DurableNodeFs extends NodeFS {
  override async init(pg: PGlite, options: Preparation): Promise<{ emscriptenOpts: Preparation }> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [...[emscriptenOpts.preRun ?? []].flat(), guardFiles as never];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function guardFiles({ NODEFS }: FileOperations): void {
  const { node_ops: nodes, stream_ops: streams } = NODEFS;
  const { mknod, setattr } = nodes;
  const setStreamAttributes = streams.setattr;
  const own = (attributes: Mode): Mode =>
    attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~0o077 };
  nodes.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~0o077, device);
  nodes.setattr = (node, attributes) => setattr(node, own(attributes));
  streams.setattr = (stream, attributes) => setStreamAttributes(stream, own(attributes));
  streams.fsync = ({ nfd }) => {
    fdatasyncSync(nfd);
    return 0;
  };
}

const SETTINGS = [
  'wal_sync_method=fsync',
  'shared_buffers=16MB',
  // A recycled segment of the log would keep its old contents until they are overwritten.
  'wal_recycle=off',
];

/** Returns the version of the embedded engine; other versions may not be able to read its files. */
export function pgliteVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/**
 * Starts the embedded PostgreSQL on a directory, or in memory.
 *
 * Without `-F` it calls fsync, and only with `wal_sync_method=fsync` does the call reach the file system.
 *
 * @param loadDataDir initial files, from `dumpDataDir()`; default those of the directory, or of a new database
 */
export async function openPglite(directory?: string, loadDataDir?: Blob): Promise<PGlite> {
  const settings = SETTINGS.flatMap(setting => ['-c', setting]);
  return PGlite.create({
    loadDataDir,
    ...(directory !== undefined && { fs: new DurableNodeFs(directory) }),
    startParams: [...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'), ...settings],
    parsers: { 20: Number },
  });
}

export type { PGlite };
