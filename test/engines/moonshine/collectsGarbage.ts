/** Decodes again and again by the native library, with all garbage collected in between: run with `--expose-gc`. */

import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { decodeUtterance } from '../../../src/engines/moonshine/decodeUtterance.ts';
import { loadMoonshine } from '../../../src/engines/moonshine/loadMoonshine.ts';
import type { MoonshineModel } from '../../../src/engines/moonshine/model.ts';
import { createNativeRuntime } from '../../../src/engines/moonshine/nativeRuntime.ts';
import { findNativeLibrary } from '../../../src/engines/native/nativeLibrary.ts';
import { embeddedFiles } from './embeddedFiles.ts';

const TIMES = 200;

const bytes = readFileSync(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length));

/** The runtime itself is garbage as soon as the model is there. */
async function load(): Promise<MoonshineModel> {
  const runtime = createNativeRuntime(findNativeLibrary()!);
  return loadMoonshine(runtime, await embeddedFiles('tiny'));
}

/** Handles are given up in a turn after the one that collects them. */
async function collect(): Promise<void> {
  (globalThis as { gc?: () => void }).gc!();
  await setImmediate();
}

const megabytes = () => process.memoryUsage().rss / 2 ** 20;

const model = await load();
const found = new Set<string>();
let settled = 0;
for (let time = 0; time < TIMES; time++) {
  await collect();
  const end = 8000 + (time % 4) * 8000;
  const { hypothesis } = await decodeUtterance(model, { samples: samples.subarray(0, end), start: 0 });
  found.add(`${end}: ${hypothesis.tokens.join(' ')}`);
  await collect();
  if (time === TIMES / 4) settled = megabytes();
}
console.log(JSON.stringify({ texts: found.size, grown: megabytes() - settled }));
