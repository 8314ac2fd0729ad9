import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { onTestFinished, vi } from 'vitest';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { type Answer, sha256 } from './fileServer.ts';

const NAME = '@test/speech';
const VERSION = '1.2.3';
const FOLDER = 'dist/model';

/** An npm registry of one package, in which a model is. */
export interface NpmRegistry {
  readonly url: string;
  /** The model, as a catalogue has it. */
  readonly model: CatalogueModel;
  readonly archive: Buffer;
  /** Paths that were asked for, with the `authorization` of each. */
  readonly asked: readonly { readonly what: 'packument' | 'archive'; readonly authorization?: string }[];
}

export interface NpmRegistryOptions {
  readonly contents: Readonly<Record<string, Buffer>>;
  /** Default: an archive of the contents, and of files that are not wanted. */
  readonly archive?: Buffer;
  /** Answers requests for the archive, one each; those after them are answered properly. */
  readonly answers?: readonly Answer[];
  /** Answers all requests that it does not leave to the registry by calling `serve`. */
  readonly gate?: Answer;
  /** Claims another checksum of the archive than it has. Default false. */
  readonly claimsOther?: boolean;
}

/** Serves a package with these files, and others that are not wanted. */
export async function npmRegistry(options: NpmRegistryOptions): Promise<NpmRegistry> {
  const { contents, answers = [], gate = (_, __, serve) => serve(), claimsOther = false } = options;
  const archive = options.archive ?? (await packed(contents));
  const asked: NpmRegistry['asked'][number][] = [];
  const { url } = await httpServer((request, response) => {
    const isArchive = request.url!.endsWith('.tgz');
    const count = asked.filter(({ what }) => what === 'archive').length;
    const { authorization } = request.headers;
    asked.push({ what: isArchive ? 'archive' : 'packument', ...(authorization && { authorization }) });
    gate(request, response, () => {
      const serve = () => response.writeHead(200, { 'content-length': archive.length }).end(archive);
      const answer = answers[count];
      if (!isArchive) response.end(packument(url, claimsOther ? Buffer.from('other') : archive));
      else if (answer) answer(request, response, serve);
      else serve();
    });
  });
  return { url, archive, asked, model: modelOf(contents, archive) };
}

/** Gives this process and its children an npm without settings of the user, but for these. */
export async function npmSettings(lines: readonly string[]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'rxscribe-home-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
  await writeFile(join(home, '.npmrc'), lines.join('\n'));
  for (const name of Object.keys(process.env).filter(key => /^npm_config_|proxy$/i.test(key)))
    vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  return home;
}

function packument(url: string, claimed: Buffer): string {
  const dist = { tarball: `${url}/${NAME}/-/speech-${VERSION}.tgz`, integrity: integrityOf(claimed) };
  return JSON.stringify({
    name: NAME,
    'dist-tags': { latest: VERSION },
    versions: { [VERSION]: { name: NAME, version: VERSION, dist } },
  });
}

function integrityOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

function modelOf(contents: Readonly<Record<string, Buffer>>, archive: Buffer): CatalogueModel {
  return {
    name: 'tiny',
    roles: ['recognizer'],
    languages: ['en'],
    licence: 'MIT',
    package: { name: NAME, version: VERSION, integrity: integrityOf(archive), bytes: archive.length },
    files: Object.entries(contents).map(([name, content]) => ({
      name,
      path: `${FOLDER}/${name}`,
      bytes: content.length,
      sha256: sha256(content),
    })),
  };
}

async function packed(contents: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-package-'));
  const files = Object.entries(contents).map(([name, content]) => [`${FOLDER}/${name}`, content] as const);
  const others = [
    ['package.json', JSON.stringify({ name: NAME, version: VERSION })],
    ['dist/other.js', 'throw 1'],
  ] as const;
  for (const [name, content] of [...others, ...files]) {
    const path = join(directory, 'package', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const archive = join(directory, 'package.tgz');
  await create({ cwd: directory, file: archive, gzip: true, portable: true }, ['package']);
  const bytes = await readFile(archive);
  await rm(directory, { recursive: true });
  return bytes;
}
