import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { hostCheck } from '../../src/web/requestAddresses.ts';

const LOOPBACK = ['localhost', 'LOCALHOST:8090', 'localhost.', '127.0.0.1:1', '[::1]:8090', 'hall.localhost'];
const INNER = [
  '192.168.1.5:8090',
  '[2001:db8::1]',
  'hall.local:8090',
  'captions:8090',
  'x.svc.cluster.local',
];
const OTHERS = [
  ...[
    'evil.example',
    'evil.example:8090',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.local.example',
  ],
  ...['', ':8090', 'a b', 'localhost@evil.example', `${hostname()}.evil.example`],
];

describe('a Host header', () => {
  test.each<[string, string | undefined, readonly string[], readonly string[]]>([
    ['127.0.0.1', undefined, [...LOOPBACK, hostname()], [...INNER, ...OTHERS]],
    ['::1', undefined, LOOPBACK, [...INNER, ...OTHERS]],
    ['localhost', undefined, LOOPBACK, [...INNER, ...OTHERS]],
    ['127.0.0.1', 'https://live.example:444/hall/', [...LOOPBACK, 'live.example', 'Live.example:80'], OTHERS],
    ['0.0.0.0', undefined, [...LOOPBACK, ...INNER, hostname()], OTHERS],
    ['::', undefined, [...LOOPBACK, ...INNER], OTHERS],
    ['hall.example', undefined, [...LOOPBACK, ...INNER, 'hall.example:1'], ['x.hall.example', ...OTHERS]],
  ])(
    'names a server that listens on %s with the public address %s or not',
    (host, publicUrl, own, others) => {
      const isMeant = hostCheck(host, publicUrl);
      expect(isMeant(undefined)).toBe(true);
      expect(own.filter(name => !isMeant(name))).toEqual([]);
      expect(others.filter(name => isMeant(name))).toEqual([]);
    },
  );
});
