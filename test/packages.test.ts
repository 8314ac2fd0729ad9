// @module-tag slow

import { execFile } from 'node:child_process';
import { copyFile, lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeTooOld } from '../src/base/requireNode.ts';
import {
  builtPackages,
  type InstalledPackage,
  npmInstall,
  ROOT,
  STRICT_OPTIONS,
} from './helpers/installedPackage.ts';
import { needsProgram, needsRecognizer } from './helpers/needs.ts';
import { startObs } from './helpers/obsServer.ts';
import { startTestService, TEST_TOKEN } from './helpers/testService.ts';

const SAMPLE = join(ROOT, 'samples/not-ill-disposed.wav');

/** A small application of the toolkit, which says how many chunks a file has and that the rest is there. */
const APPLICATION = `
  import { lastValueFrom, type Observable, toArray } from 'rxjs';
  import {
    type AudioBlock, captionCues, chunk, createClient, decodeTranscript, fromFile, type Job, liveCaptions,
    mergeTranscript, microphone, resample, RxscribeError, terminalOutput, transcribe, writeSrt,
  } from 'rxscribe';
  import { CaptionRoom, type ControlCommand, obsOutput, type ObsOutputOptions, openCaptionPage, textHook } from 'rxscribe/captions';
  const obsOptions: ObsOutputOptions = { url: 'ws://127.0.0.1:4455', source: 'Captions' };
  const pause: ControlCommand = { type: 'pause' };
  async function main(): Promise<void> {
    const blocks$: Observable<AudioBlock> = fromFile(process.argv[2]!).pipe(resample({ sampleRate: 8000 }), chunk(100));
    const blocks = await lastValueFrom(blocks$.pipe(toArray()));
    const client = createClient({ url: 'http://127.0.0.1:1', token: 'token' });
    const job: Promise<Job> = client.transcription.get('none');
    const failed = await job.catch((error: unknown) => error);
    const rest = [captionCues, CaptionRoom, decodeTranscript, liveCaptions, mergeTranscript, microphone, obsOutput, openCaptionPage, terminalOutput, textHook, transcribe, writeSrt];
    console.log(blocks.length, failed instanceof RxscribeError && failed.code, rest.every(each => typeof each === 'function'), pause.type, obsOptions.source);
  }
  void main();
`;
const SAID = '30 unreachable true pause Captions\n';

const CONFIG = {
  compilerOptions: { ...STRICT_OPTIONS, typeRoots: [join(ROOT, 'node_modules/@types')] },
  include: ['*.ts'],
};

/** Every Node on the PATH. */
async function nodesOnPath(): Promise<readonly { path: string; version: string }[]> {
  const paths = process.env.PATH!.split(':').map(directory => join(directory, 'node'));
  const versions = await Promise.all(
    paths.map(path => promisify(execFile)(path, ['-p', 'process.versions.node']).catch(() => undefined)),
  );
  return paths.flatMap((path, index) => {
    const version = versions[index]?.stdout.trim();
    return version ? [{ path, version }] : [];
  });
}

/** Counts files and their bytes on the disk, in blocks. */
async function sizeOf(
  directory: string,
  without: readonly string[] = [],
): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 };
  for (const path of await readdir(directory, { recursive: true })) {
    if (without.some(name => path.startsWith(`${name}/`))) continue;
    const stats = await lstat(join(directory, path));
    if (!stats.isFile()) continue;
    total.files += 1;
    total.bytes += stats.blocks * 512;
  }
  return total;
}

describe('what is packed', () => {
  test.each(['rxscribe', '@rxscribe/server'] as const)(
    '%s is whole, and has nothing that leads nowhere',
    async name => {
      const { directory } = (await builtPackages())[name];
      const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
      expect(manifest).toMatchObject({ name, license: 'MIT', author: expect.any(String), type: 'module' });
      for (const field of ['repository', 'bugs', 'keywords', 'description'])
        expect(manifest).toHaveProperty(field);
      expect(JSON.stringify(manifest)).not.toMatch(
        /"source"|\\.ts"(?<!\\.d\\.ts")|scripts|optionalDependencies/,
      );
      const files = await readdir(directory, { recursive: true });
      expect(files.filter(path => path.endsWith('.map'))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
      expect(files.includes('dist/replay/report/html/browser/page.js')).toBe(name === 'rxscribe');
      const pages = files.filter(path => /^dist\/pages\/\w+\.html$/.test(path)).sort();
      const [first, second] = name === 'rxscribe' ? ['captions', 'operator'] : ['desk', 'front'];
      expect(pages).toEqual([`dist/pages/${first}.html`, `dist/pages/${second}.html`]);
      for (const path of files.filter(file => file.endsWith('.js'))) {
        expect(await readFile(join(directory, path), 'utf8')).not.toContain('sourceMappingURL');
      }
      expect(await readFile(join(directory, 'README.md'), 'utf8')).not.toContain('npm run');
      for (const page of files.filter(file => file.endsWith('README.md'))) {
        const text = await readFile(join(directory, page), 'utf8');
        const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) =>
          join(page, '..', target!),
        );
        expect(targets.filter(target => !files.includes(target))).toEqual([]);
      }
      for (const conditions of Object.values<Record<string, string> | string>(manifest.exports)) {
        if (typeof conditions === 'string') continue;
        const named = Object.values(conditions).map(file => file.slice(2));
        expect(files).toEqual(expect.arrayContaining(named));
      }
    },
  );
});

test('rxscribe exports what the checkout does', async () => {
  const exportsIn = async (directory: string) =>
    Object.keys(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).exports).sort();
  expect(await exportsIn((await builtPackages()).rxscribe.directory)).toEqual(await exportsIn(ROOT));
});

test('rxscribe/browser is one file of at most 60 kB compressed, which imports RxJS only', async () => {
  const { directory } = (await builtPackages()).rxscribe;
  const code = await readFile(join(directory, 'dist/browser/browser.js'));
  expect(gzipSync(code).length).toBeLessThan(60_000);
  const imported = [...code.toString().matchAll(/\b(?:from|import)\s*\(?["']([^"']+)["']/g)].map(
    ([, name]) => name,
  );
  expect(new Set(imported)).toEqual(new Set(['rxjs']));
  expect(code.toString()).not.toMatch(/\bBuffer\.|\brequire\(|\bprocess\./);
});

let toolkit: InstalledPackage;
let both: InstalledPackage;
beforeAll(async () => {
  [toolkit, both] = await Promise.all([
    npmInstall(['rxscribe'], ['rxjs@7.8.1']),
    npmInstall(['rxscribe', '@rxscribe/server']),
  ]);
}, 400_000);
afterAll(async () => {
  await toolkit?.[Symbol.asyncDispose]();
  await both?.[Symbol.asyncDispose]();
});

describe('the toolkit alone, as npm installs it', () => {
  let apart: string;
  beforeAll(async () => {
    // A place that has nothing installed.
    apart = await mkdtemp(join(tmpdir(), 'rxscribe-bundles-'));
    await writeFile(join(toolkit.directory, 'main.ts'), APPLICATION);
    await writeFile(join(toolkit.directory, 'tsconfig.json'), JSON.stringify(CONFIG));
  });
  afterAll(() => rm(apart, { recursive: true }));

  // The decoders of MP3, Opus and Vorbis are 70 files and 1.3 MB of it.
  test('is small: beside rxjs 1,165 files and 9.22 MB on the disk, and with it 21 MB', async () => {
    const modules = join(toolkit.directory, 'node_modules');
    const own = await sizeOf(modules, ['rxjs']);
    const all = await sizeOf(modules);
    console.info('without rxjs', own, 'with it', all);
    expect(own.files).toBeGreaterThan(500);
    expect(own.files).toBeLessThan(1165);
    expect(own.bytes).toBeLessThan(9_220_000);
    expect(all.bytes).toBeLessThan(21_000_000);
    expect(await readdir(modules)).not.toContain('@rxscribe');
  });

  test('has types that an application on an older rxjs compiles with, none of them unchecked', async () => {
    expect(await toolkit.run('tsc', ['-p', '.'])).toEqual({ code: 0, output: '' });
  });

  test('is imported and required', async () => {
    expect(await toolkit.run('node', ['main.ts', SAMPLE])).toEqual({ code: 0, output: SAID });
    const names =
      "Object.keys(require('rxscribe')).length > 40 && typeof require('rxscribe/replay').playServer";
    expect(await toolkit.run('node', ['-e', `console.log(${names})`])).toEqual({
      code: 0,
      output: 'function\n',
    });
    const missing = await toolkit.run('node', ['-e', "import('rxscribe/server')"]);
    expect(missing.output).toMatch(
      /the package @rxscribe\/server is not installed\. Run 'npm install @rxscribe\/server@/,
    );
  });

  test('names the Node that it needs in one sentence, on an older one', { tags: 'tools' }, async context => {
    const old = (await nodesOnPath()).find(({ version }) => nodeTooOld('rxscribe', version));
    if (!old) return context.skip('needs a Node on the PATH that is too old');
    const sentence = `Package 'rxscribe' needs Node 22.19 or newer, not ${old.version}.\n`;
    for (const name of ['rxscribe', 'rxscribe/replay']) {
      const program = `import('${name}').catch(error => console.log(error.message))`;
      expect((await toolkit.run(old.path, ['-e', program])).output).toBe(sentence);
    }
    const command = join(toolkit.directory, 'node_modules/rxscribe/dist/cli.js');
    expect(await toolkit.run(old.path, [command, '--help'])).toEqual({ code: 2, output: sentence });
  });

  test.each(['esm', 'cjs'])(
    'is bundled by esbuild, format %s, and runs where nothing is installed',
    async format => {
      const out = join(apart, `esbuild.${format === 'esm' ? 'mjs' : 'cjs'}`);
      const args = ['main.ts', '--bundle', '--platform=node', `--format=${format}`, `--outfile=${out}`];
      expect(await toolkit.run('esbuild', [...args, '--log-level=warning'])).toEqual({ code: 0, output: '' });
      expect(await toolkit.run('node', [out, SAMPLE])).toEqual({ code: 0, output: SAID });
    },
  );

  test.each(['rxscribe', 'rxscribe/captions', 'rxscribe/replay', 'rxscribe/server'])(
    'names rxscribe/browser when a bundler of pages meets %s',
    async entry => {
      const program = `import * as all from '${entry}'; import { transcribe } from '${entry}'; console.log(all, transcribe);`;
      await writeFile(join(toolkit.directory, 'page.js'), program);
      await writeFile(join(toolkit.directory, 'index.html'), '<script type="module" src="page.js"></script>');
      const out = join(apart, 'page');
      const runs = [
        await toolkit.run('esbuild', ['page.js', '--bundle', `--outfile=${out}.js`]),
        await toolkit.run('rolldown', ['page.js', '--platform', 'browser', '-d', out]),
        await toolkit.run('vite', ['build', '--outDir', out]),
      ];
      for (const { code, output } of runs) {
        expect(code).not.toBe(0);
        expect(output).toContain("in a page, import 'rxscribe/browser' instead");
        expect(output).not.toContain('node:fs');
      }
    },
  );

  test('is bundled for a page, as rxscribe/browser', async () => {
    const program = "import { transcribe } from 'rxscribe/browser'; console.log(transcribe);";
    await writeFile(join(toolkit.directory, 'page.js'), program);
    const out = join(apart, 'page.js');
    const { code, output } = await toolkit.run('esbuild', ['page.js', '--bundle', `--outfile=${out}`]);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining('ERROR') });
  });

  test('is bundled by Vite for a server, and runs where nothing is installed', async () => {
    await writeFile(
      join(toolkit.directory, 'vite.config.js'),
      'export default { ssr: { noExternal: true } };',
    );
    const out = join(apart, 'vite');
    const { code, output } = await toolkit.run('vite', [
      'build',
      '--ssr',
      'main.ts',
      '--outDir',
      out,
      '--emptyOutDir',
      '-l',
      'warn',
    ]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(await toolkit.run('node', [join(out, 'main.js'), SAMPLE])).toEqual({ code: 0, output: SAID });
  });

  test('decodes other audio by what is installed beside a bundle', { tags: 'tools' }, async context => {
    needsProgram(context, 'ffmpeg');
    const bundle = join(apart, 'esbuild.cjs');
    const flac = join(apart, 'sample.flac');
    await toolkit.run('ffmpeg', ['-v', 'error', '-i', SAMPLE, flac]);
    expect(await toolkit.run('node', [bundle, flac])).toEqual({ code: 0, output: SAID });
    await copyFile(bundle, join(toolkit.directory, basename(bundle)));
    for (const [ending, name] of [
      ['mp3', 'mpg123-decoder'],
      ['opus', 'opus-decoder'],
      ['m4a', 'prism-media'],
    ]) {
      const file = join(apart, `sample.${ending}`);
      await toolkit.run('ffmpeg', ['-v', 'error', '-i', SAMPLE, file]);
      expect((await toolkit.run('node', [bundle, file])).output).toContain(
        `the package '${name}' is not installed`,
      );
      expect(await toolkit.run('node', [basename(bundle), file])).toMatchObject({ code: 0 });
    }
  });

  test('has the commands, which use a service elsewhere', async () => {
    const { code, output } = await toolkit.run('rxscribe', ['--help']);
    expect(code).toBe(0);
    expect(output).toContain('caption');
    const service = await startTestService();
    const access = ['--url', service.url, '--token', TEST_TOKEN, '--speed', 'max', '--json'];
    const captioned = await toolkit.run('rxscribe', ['caption', SAMPLE, ...access]);
    expect(captioned.code).toBe(0);
    expect(captioned.output).toMatch(/"type":"final"/);
  });

  test('has the client of OBS, with its authentication', async () => {
    const service = await startTestService();
    const obs = await startObs({ password: 'secret' });
    obs.addInput('Captions', 'text_ft2_source_v2');
    // At full speed the captions may end before OBS has accepted the connection.
    const access = ['--url', service.url, '--token', TEST_TOKEN, '--speed', '1'];
    const outputs = ['--obs', obs.url, '--obs-password', 'secret', '--obs-source', 'Captions'];
    const { code } = await toolkit.run('rxscribe', ['caption', SAMPLE, ...access, ...outputs]);
    expect({ code, identified: obs.identified }).toEqual({ code: 0, identified: 1 });
    expect(obs.texts.some(text => text !== '')).toBe(true);
  });

  test.each([
    { args: ['caption', SAMPLE], hasUrl: true },
    { args: ['transcribe', SAMPLE], hasUrl: true },
    { args: ['model', 'list'], hasUrl: false },
    { args: ['serve'], hasUrl: false },
  ])('says in one sentence what $args.0 lacks', async ({ args, hasUrl }) => {
    const { code, output } = await toolkit.run('rxscribe', args);
    expect(code).toBe(4);
    expect(output).toMatch(
      /^error: .*not installed\. Run 'npm install @rxscribe\/server@\d\S+' where rxscribe is installed .*\n$/,
    );
    expect(output.includes('--url')).toBe(hasUrl);
  });

  test('has a doctor that misses the service, and needs none', async () => {
    const { code, output } = await toolkit.run('rxscribe', ['doctor']);
    expect(code).toBe(0);
    expect(output).toMatch(/✘ service +@rxscribe\/server is not installed/);
    expect(output).toContain('npm install @rxscribe/server');
  });
});

describe('both, as npm installs them', () => {
  test('caption without any service but their own', { tags: 'tools' }, async context => {
    await needsRecognizer(context);
    const { code, output } = await both.run('rxscribe', ['caption', SAMPLE, '--speed', 'max']);
    expect(output).toMatch(/^He was not an .*young man\.\n$/);
    expect(code).toBe(0);
  });

  test('have the names of the service twice, and each thing once', async () => {
    const same = `
      import * as led from 'rxscribe/server';
      import * as own from '@rxscribe/server';
      console.log(Object.keys(own).length > 5 && Object.keys(own).every(name => own[name] === led[name]));
    `;
    expect(await both.run('node', ['--input-type=module', '-e', same])).toEqual({
      code: 0,
      output: 'true\n',
    });
  });

  test('have each class once, and types', async () => {
    await writeFile(
      join(both.directory, 'main.ts'),
      `import { RxscribeError } from 'rxscribe';
       import { RxscribeError as SameError } from 'rxscribe/errors';
       import { createService, createFixedAccount, createMoonshineRecognizer, type Service } from 'rxscribe/server';
       const recognizer = createMoonshineRecognizer();
       const accounts = createFixedAccount('a-token-of-sixteen');
       const failed: unknown = await createService({ recognizer, accounts, brand: '?' }).catch((error: unknown) => error);
       console.log(failed instanceof RxscribeError && failed.code, SameError === RxscribeError);
       export type Url = Service['url'];
       await recognizer.close();
      `,
    );
    await writeFile(join(both.directory, 'tsconfig.json'), JSON.stringify(CONFIG));
    const { output } = await both.run('tsc', ['-p', '.']);
    // Other packages have their own mistakes.
    expect(output.split('\n').filter(line => /^(node_modules\/@?rxscribe|main)/.test(line))).toEqual([]);
    expect(await both.run('node', ['main.ts'])).toEqual({ code: 0, output: 'invalid-argument true\n' });
  });

  test.each([
    { name: 'rxscribe', file: 'base/errors.js' },
    { name: '@rxscribe/server', file: 'cli/local/serveRun.js' },
  ])('keep the modules of $name to themselves', async ({ name, file }) => {
    expect(await readdir(join(both.directory, 'node_modules', name, 'dist', dirname(file)))).toContain(
      basename(file),
    );
    const specifiers = ['internal', 'dist'].map(folder => `${name}/${folder}/${file}`);
    const program = `for (const specifier of ${JSON.stringify(specifiers)})
      console.log(await import(specifier).then(() => 'imported', error => error.code));`;
    expect(await both.run('node', ['--input-type=module', '-e', program])).toEqual({
      code: 0,
      output: 'ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(2),
    });
  });
});
