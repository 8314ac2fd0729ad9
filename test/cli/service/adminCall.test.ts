import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { adminCall } from '../../../src/cli/service/adminCall.ts';
import { ProtocolError } from '../../../src/client/serviceErrors.ts';
import { startHttpService } from '../../helpers/httpService.ts';

const list = (path: readonly string[]) => ({ action: 'list accounts', method: 'GET', path }) as const;
const accessTo = (url: string) => ({ data: 'unused', url, adminToken: 'a'.repeat(32) });

describe('a call of the administration interface', () => {
  test.each(['<html>what stands here</html>', ''])(
    'reports an answer that is not from a service: %j',
    async text => {
      const other = await startHttpService(() => ({ text }));
      const call = adminCall(accessTo(other.url), list(['accounts']));
      await expect(call).rejects.toThrow(ProtocolError);
      await expect(call).rejects.not.toThrow('html');
    },
  );

  test('accepts an answer without a body', async () => {
    const service = await startHttpService(() => ({ status: 204, text: '' }));
    expect(await adminCall(accessTo(service.url), list(['accounts']))).toBeUndefined();
  });

  test.each(['', '.', '..'])('leads to no other path: %j', async account => {
    const service = await startHttpService(() => ({ json: [] }));
    const call = adminCall(accessTo(service.url), list(['accounts', account, 'tokens']));
    await expect(call).rejects.toThrow(InvalidArgumentError);
    expect(service.requests).toEqual([]);
  });

  test('saves an answer piece by piece, but not an error', async () => {
    const bytes = Buffer.alloc(1_000_000, 'sound');
    const service = await startHttpService(({ url }) =>
      url.endsWith('/audio') ? { bytes } : { status: 409, json: { title: 'wrong' } },
    );
    const saved: Uint8Array[] = [];
    let saving = 0;
    const save = async (piece: Uint8Array) => {
      expect(saving++).toBe(0);
      await setImmediate();
      saved.push(piece);
      saving--;
    };
    const call = (path: string) => adminCall(accessTo(service.url), { ...list([path]), save });
    expect(await call('audio')).toBeUndefined();
    expect(Buffer.concat(saved)).toEqual(bytes);
    await expect(call('nothing')).rejects.toThrow('HTTP status 409');
    expect(Buffer.concat(saved)).toEqual(bytes);
  });

  test('ends when an answer cannot be saved', async () => {
    const service = await startHttpService(() => ({ bytes: Buffer.alloc(1_000_000) }));
    const save = () => Promise.reject(new Error('no space left'));
    await expect(adminCall(accessTo(service.url), { ...list(['audio']), save })).rejects.toThrow('no space');
  });
});
