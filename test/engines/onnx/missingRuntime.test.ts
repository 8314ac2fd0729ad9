import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { classifierModel } from './classifierModel.ts';

/** Node as it is where the package is not installed. */
const WITHOUT_RUNTIME = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      return next(name === 'onnxruntime-web' ? 'onnxruntime-web-that-nobody-has' : name, context);
    },
  });`)}`;

test('without onnxruntime-web, the process names the package to install, and ends', {
  timeout: 120_000,
}, async () => {
  const { files } = await classifierModel();
  const child = fork(new URL('../../../src/engines/onnx/classifierChild.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', WITHOUT_RUNTIME],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const message = once(child, 'message');
  const ended = once(child, 'exit');
  child.send({ type: 'load', setup: { ...files, maxTokens: 64, labelCount: 3 } });
  expect((await message)[0]).toEqual({
    type: 'failed',
    code: 'engine-missing',
    message:
      "Cannot load ONNX Runtime: the package onnxruntime-web is not installed. Run 'npm install onnxruntime-web'.",
  });
  expect(await ended).toEqual([1, null]);
});
