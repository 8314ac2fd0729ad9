import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { installCommand } from '../../../src/cli/doctor/systemPackages.ts';

const directory = mkdtempSync(join(tmpdir(), 'rxscribe-path-'));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

test('the one command to run is one that the machine has', () => {
  vi.stubEnv('PATH', directory);
  const install = 'apt-get install -y --no-install-recommends ffmpeg sox';
  expect(installCommand(['ffmpeg', 'sox'])).toBe(`su -c 'apt-get update && ${install}'`);

  writeFileSync(join(directory, 'sudo'), '#!/bin/sh\n');
  chmodSync(join(directory, 'sudo'), 0o755);
  expect(installCommand(['ffmpeg', 'sox'])).toBe(`sudo apt-get update && sudo ${install}`);
});
