import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeTooOld } from '../../src/base/requireNode.ts';

test('a version that is recent enough is no complaint', () => {
  for (const version of ['22.19.0', '22.20.1', '24.0.0', '100.0.0']) {
    expect(nodeTooOld('rxscribe', version)).toBeUndefined();
  }
  expect(nodeTooOld('@rxscribe/server', '24.0.0')).toBeUndefined();
});

test('an older one is named, beside the one that is wanted', () => {
  expect(nodeTooOld('rxscribe', '22.18.9')).toBe('rxscribe needs Node 22.19 or newer, found 22.18.9');
  expect(nodeTooOld('rxscribe', '9.30.0')).toBe('rxscribe needs Node 22.19 or newer, found 9.30.0');
  expect(nodeTooOld('@rxscribe/server', '22.19.0')).toBe(
    '@rxscribe/server needs Node 24.0 or newer, found 22.19.0',
  );
});

test.each([
  ['index', 'rxscribe needs Node 22.19 or newer, found 20.1.0'],
  ['replay', 'rxscribe needs Node 22.19 or newer, found 20.1.0'],
  ['vitest', 'rxscribe needs Node 22.19 or newer, found 20.1.0'],
  ['server', '@rxscribe/server needs Node 24.0 or newer, found 20.1.0'],
])('the entry %s says so before all else', async (entry, sentence) => {
  const program = `
    Object.defineProperty(process.versions, 'node', { value: '20.1.0' });
    import('./src/${entry}.ts').catch(error => console.log(error.message));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', '-e', program]);
  expect(stdout).toBe(`${sentence}\n`);
});
