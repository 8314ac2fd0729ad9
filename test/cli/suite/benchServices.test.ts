import { describe, expect, test } from 'vitest';
import { benchedServices } from '../../../src/cli/suite/benchServices.ts';

const A = 'http://a.example:8080';
const B = 'wss://b.example/speech/';
const SHOWN_B = 'wss://b.example/speech';

describe('services to compare', () => {
  test('have the tokens and names of the same position', () => {
    const services = benchedServices(
      { url: [A, 'embedded', B], token: ['for-a', 'for-b'], name: ['ours', 'here', 'theirs'] },
      'shared',
    );
    expect(services).toEqual([
      { kind: 'address', name: 'ours', shownAs: 'ws://a.example:8080', url: A, token: 'for-a' },
      { kind: 'embedded', name: 'here', shownAs: 'embedded' },
      { kind: 'address', name: 'theirs', shownAs: SHOWN_B, url: B, token: 'for-b' },
    ]);
  });

  test('are an embedded one by default', () => {
    expect(benchedServices({}, undefined)).toEqual([
      { kind: 'embedded', name: 'embedded', shownAs: 'embedded' },
    ]);
  });

  test('share the token of the environment, and are named by their addresses without secrets', () => {
    const secret = 'https://user:word@c.example/?key=word';
    expect(benchedServices({ url: [A, B, secret] }, 'shared')).toEqual([
      { kind: 'address', name: 'a.example:8080', shownAs: 'ws://a.example:8080', url: A, token: 'shared' },
      { kind: 'address', name: 'b.example/speech', shownAs: SHOWN_B, url: B, token: 'shared' },
      { kind: 'address', name: 'c.example', shownAs: 'wss://c.example', url: secret, token: 'shared' },
    ]);
  });

  test.each([
    ['a token is missing', { url: [A, B], token: ['one'] }, /--token .* for each address: 2, not 1/],
    ['no token is given', { url: [A] }, /--token .*not 0/],
    [
      'a name is missing',
      { url: ['embedded', A], token: ['one'], name: ['a'] },
      /--name for each service: 2, not 1/,
    ],
    ['two have one name', { url: ['embedded', 'embedded'] }, /Two services have the name 'embedded'/],
    [
      'an address is none',
      { url: ['nonsense secret'], token: ['one'] },
      /^The service address must be an absolute URL with [^,]+, [^,]+, [^,]+, [^,]+\.$/,
    ],
  ])('are refused when %s', (_, flags, message) => {
    expect(() => benchedServices(flags, undefined)).toThrow(message);
  });
});
