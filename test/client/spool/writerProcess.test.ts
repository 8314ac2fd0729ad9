import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { isRunning, thisProcess } from '../../../src/client/spool/writerProcess.ts';

describe('a process that writes', () => {
  test('runs while it does', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid!;
    expect(isRunning({ pid })).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isRunning({ pid })).toBe(false);
  });

  test('is not taken for a later one with its number', () => {
    const now = thisProcess();
    expect(now.pid).toBe(process.pid);
    expect(isRunning(now)).toBe(true);
    expect(isRunning({ ...now, start: now.start!.replace(/\d+$/, ticks => String(Number(ticks) - 1)) })).toBe(
      false,
    );
    expect(isRunning({ ...now, start: now.start!.replace(/^./, digit => (digit === '0' ? '1' : '0')) })).toBe(
      false,
    );
  });

  test('of another user runs as well', () => {
    expect(isRunning({ pid: 1 })).toBe(true);
  });

  test('runs no more when it only waits for its parent to ask how it ended', async () => {
    // The shell starts a program that ends with its input, and becomes one that never asks how others ended.
    const parent = spawn('bash', ['-c', 'cat <&3 >&2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    const pid = Number(String((await once(parent.stdout!, 'data'))[0]));
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    expect(isRunning({ pid })).toBe(true);
    (parent.stdio[3] as Writable).end();
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    expect(isRunning({ pid })).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });
});
