import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { installPocketSphinx } from '../../../src/engines/pocketsphinx/install.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import { childrenWith, hidePrograms } from '../../helpers/childProcesses.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';

let directory: string;
let cacheDirectory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-install-'));
  cacheDirectory = join(directory, 'cache/pocketsphinx');
});

afterEach(async () => {
  delete process.env.APT_CONFIG;
  await rm(directory, { recursive: true, force: true });
});

/** Settings for apt-get, as a system with others would have them. */
async function configureApt(...settings: readonly string[]): Promise<void> {
  process.env.APT_CONFIG = join(directory, 'apt.conf');
  await writeFile(process.env.APT_CONFIG, settings.map(setting => `${setting};\n`).join(''));
}

describe('the recogniser is fetched without root', { timeout: 300_000 }, () => {
  it('once, and recognises from where it was put', async context => {
    const steps: string[] = [];
    await installOrSkip(context, step => steps.push(step));
    expect(steps.length).toBeGreaterThan(5);
    expect(await readdir(join(directory, 'cache'))).toEqual(['pocketsphinx']);
    const before = (await stat(cacheDirectory)).mtimeMs;
    await installPocketSphinx({ cacheDirectory, onProgress: step => steps.push(`again: ${step}`) });
    expect((await stat(cacheDirectory)).mtimeMs).toBe(before);
    expect(steps.join()).not.toContain('again');

    await using recognizer = createPocketSphinxRecognizer({ roots: [cacheDirectory], spareDecoders: 0 });
    await using session = await recognizer.open();
    const [pid] = childrenWith('pocketsphinx/child');
    const loaded = readFileSync(`/proc/${pid}/maps`, 'utf8').match(
      /\S*lib(?:pocketsphinx|sphinxbase|blas)\S*/g,
    );
    expect(loaded?.length).toBeGreaterThan(0);
    for (const path of loaded ?? []) expect(path).toContain(cacheDirectory);
    await session.close();
    const [final] = await recognizer.recognize([readSampleSpeech('not-ill-disposed')]);
    expect(final?.words.length).toBeGreaterThan(3);
  });

  it('on a machine that has no package lists, in place of a broken copy', async context => {
    await mkdir(join(cacheDirectory, 'usr/lib/broken'), { recursive: true });
    await configureApt(`Dir::State::lists "${directory}/none"`);
    const steps: string[] = [];
    await installOrSkip(context, step => steps.push(step));
    expect(steps).toContain('reading the package lists');
  });

  it('by two at once', async context => {
    const installed = await Promise.all([installOrSkip(context), installOrSkip(context)]);
    expect(installed[0]).toEqual(installed[1]);
    expect(await readdir(join(directory, 'cache'))).toEqual(['pocketsphinx']);
  });
});

describe('the recogniser that cannot be fetched', { timeout: 120_000 }, () => {
  it('names the command where there is no apt-get', async () => {
    await using _hidden = await hidePrograms();
    const failure = installPocketSphinx({ cacheDirectory });
    await expect(failure).rejects.toMatchObject({ code: 'program-missing' });
    await expect(failure).rejects.toThrow(/wanted apt-get.*as root: apt-get install/);
    expect(await readdir(join(directory, 'cache'))).toEqual([]);
  });

  it('names the command where the archive cannot be reached', async context => {
    needsProgram(context, 'apt-get');
    const sources = join(directory, 'sources.list');
    await writeFile(sources, 'deb [trusted=yes] http://127.0.0.1:9/debian stable main\n');
    await configureApt(
      `Dir::State::lists "${directory}/none"`,
      `Dir::Etc::sourcelist "${sources}"`,
      'Dir::Etc::sourceparts "-"',
      'Acquire::Retries "0"',
    );
    const failure = installPocketSphinx({ cacheDirectory });
    await expect(failure).rejects.toMatchObject({ code: 'engine-missing' });
    await expect(failure).rejects.toThrow(/With a network, run as root: apt-get update && apt-get install/);
    expect(await readdir(join(directory, 'cache'))).toEqual([]);
  });

  it('leaves nothing behind when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(installPocketSphinx({ cacheDirectory, signal })).rejects.toThrow();
    expect(await readdir(join(directory, 'cache'))).toEqual([]);
  });
});

async function installOrSkip(context: TestContext, onProgress?: (step: string) => void) {
  try {
    return await installPocketSphinx({ cacheDirectory, onProgress });
  } catch (error) {
    if (error instanceof RxscribeError) return context.skip('needs apt-get and a package archive');
    throw error;
  }
}
