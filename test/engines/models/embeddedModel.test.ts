import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CatalogueModel } from '../../../src/engines/models/catalogue.ts';
import { ensureEmbeddedModel } from '../../../src/engines/models/embeddedModel.ts';
import { findFaults, modelState } from '../../../src/engines/models/modelState.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import type { Answer } from './fileServer.ts';
import { npmRegistry, npmSettings } from './npmRegistry.ts';
import { onnxFile, onnxGraphFile } from './onnxFile.ts';

const CONTENTS = {
  'encoder_model.onnx': Buffer.from(onnxGraphFile(['input_values'], 1000, 1_000_000)),
  'decoder_model_merged.onnx': Buffer.from(onnxFile({}, 200_000)),
};
const MAIN = new URL('embeddedMain.ts', import.meta.url).pathname;

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

async function registry(answers: readonly Answer[] = []) {
  const made = await npmRegistry({ contents: CONTENTS, answers });
  await npmSettings([`registry=${made.url}`]);
  const archives = () => made.asked.filter(({ what }) => what === 'archive').length;
  return { ...made, archives };
}

function startProcess(model: CatalogueModel) {
  const child = spawn(process.execPath, ['--conditions=source', MAIN, directory, JSON.stringify(model)]);
  let output = '';
  child.stdout.on('data', data => (output += data));
  child.stderr.on('data', data => (output += data));
  return { child, done: once(child, 'close').then(([code]) => ({ code, output })) };
}

test('the embedded model is downloaded when it is missing, and never again', async () => {
  const { model, asked } = await registry();
  const onFetch = vi.fn();
  const found = await ensureEmbeddedModel({ directory, model, onFetch });
  expect(found).toBe(join(directory, 'tiny'));
  const before = asked.length;
  expect(await ensureEmbeddedModel({ directory, model, onFetch })).toEqual(found);
  expect(onFetch).toHaveBeenCalledTimes(1);
  expect(asked.length).toBe(before);
});

test('two concurrent processes download it once', async () => {
  const { model, archives } = await registry();
  const processes = [startProcess(model), startProcess(model)];
  for (const { done } of processes) expect(await done).toEqual({ code: 0, output: join(directory, 'tiny') });
  expect(archives()).toBe(1);
});

test('a later process waits and is notified', async () => {
  let finish = () => {};
  const { model, archive, archives } = await registry([
    (_, response) => {
      response.writeHead(200).write(archive.subarray(0, 1000));
      finish = () => response.end(archive.subarray(1000));
    },
  ]);
  const first = ensureEmbeddedModel({ directory, model });
  await vi.waitUntil(() => archives() === 1);
  const onWait = vi.fn(() => finish());
  expect(await ensureEmbeddedModel({ directory, model, onWait })).toEqual(await first);
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(archives()).toBe(1);
});

test('a killed process leaves nothing valid, and the next one downloads it', async () => {
  const { model, archive, archives } = await registry([
    (_, response) => response.writeHead(200).write(archive.subarray(0, 2000)),
  ]);
  const { child, done } = startProcess(model);
  await expect.poll(archives).toBe(1);
  child.kill('SIGKILL');
  await done;
  expect(await modelState(model, directory)).toBe('partial');
  await ensureEmbeddedModel({ directory, model });
  expect(await findFaults(model, directory)).toEqual([]);
  expect(await readdir(directory)).toEqual(['.tiny.lock', 'tiny']);
});

test('a truncated one is downloaded again', async () => {
  const { model } = await registry();
  const path = await ensureEmbeddedModel({ directory, model });
  await truncate(join(path, 'decoder_model_merged.onnx'), 1000);
  await ensureEmbeddedModel({ directory, model });
  expect(await findFaults(model, directory)).toEqual([]);
});
