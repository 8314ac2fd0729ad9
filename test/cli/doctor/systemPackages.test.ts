import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { installCommand } from '../../../src/cli/doctor/systemPackages.ts';

const directory = mkdtempSync(join(tmpdir(), 'rxscribe-path-'));

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

test('the command to run uses a program that the machine has', () => {
  const env = { PATH: directory };
  const install = 'apt-get install -y --no-install-recommends ffmpeg sox';
  expect(installCommand(['ffmpeg', 'sox'], env)).toBe(`su -c 'apt-get update && ${install}'`);

  writeFileSync(join(directory, 'sudo'), '#!/bin/sh\n');
  chmodSync(join(directory, 'sudo'), 0o755);
  expect(installCommand(['ffmpeg', 'sox'], env)).toBe(`sudo apt-get update && sudo ${install}`);
});
