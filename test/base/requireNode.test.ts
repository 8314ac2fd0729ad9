import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeTooOld } from '../../src/base/requireNode.ts';
import { temporaryDirectory } from '../helpers/dataDirectory.ts';

test('a version that is recent enough is accepted', () => {
  for (const version of ['22.19.0', '22.20.1', '24.0.0', '100.0.0']) {
    expect(nodeTooOld('rxscribe', version)).toBeUndefined();
  }
  expect(nodeTooOld('@rxscribe/server', '24.0.0')).toBeUndefined();
});

test('an older one is named, beside the one that is wanted', () => {
  expect(nodeTooOld('rxscribe', '22.18.9')).toBe(
    "Package 'rxscribe' needs Node 22.19 or newer, not 22.18.9.",
  );
  expect(nodeTooOld('rxscribe', '9.30.0')).toBe("Package 'rxscribe' needs Node 22.19 or newer, not 9.30.0.");
  expect(nodeTooOld('@rxscribe/server', '22.19.0')).toBe(
    "Package '@rxscribe/server' needs Node 24.0 or newer, not 22.19.0.",
  );
});

test('commands that an older Node starts run with the one that the checkout brings', {
  tags: 'tools',
}, async context => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return context.skip('needs Linux on x64');
  const node = join(await temporaryDirectory(), 'node');
  await copyFile(process.execPath, node);
  for (const version of ['20.1.0', '22.19.0', '23.11.0']) {
    // Of the first process only: the one that it starts inherits the variable.
    const older = `process.env.OLDER??=Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    const args = [
      `--import=data:text/javascript,${older}`,
      '--conditions=source',
      'src/cli.ts',
      'model',
      'list',
    ];
    expect((await promisify(execFile)(node, args)).stdout, version).toContain('moonshine');
  }
});

test('each entry says so before all else', async () => {
  const program = `
    Object.defineProperty(process.versions, 'node', { value: '20.1.0' });
    for (const entry of ['index', 'replay', 'vitest', 'server']) {
      await import(\`./src/\${entry}.ts\`).catch(error => console.log(error.message));
    }
  `;
  const args = ['--conditions=source', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const sentence = "Package 'rxscribe' needs Node 22.19 or newer, not 20.1.0.\n";
  expect(stdout).toBe(
    `${sentence.repeat(3)}Package '@rxscribe/server' needs Node 24.0 or newer, not 20.1.0.\n`,
  );
});
