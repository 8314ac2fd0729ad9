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

  test('share the token of the environment within one origin, and are named by their addresses without secrets', () => {
    const paths = ['https://user:word@b.example/?key=word', B];
    expect(benchedServices({ url: paths }, 'shared')).toEqual([
      { kind: 'address', name: 'b.example', shownAs: 'wss://b.example', url: paths[0], token: 'shared' },
      { kind: 'address', name: 'b.example/speech', shownAs: SHOWN_B, url: B, token: 'shared' },
    ]);
  });

  test('never share the token of the environment between origins', () => {
    expect(() => benchedServices({ url: [A, B] }, 'shared')).toThrow(
      'RXSCRIBE_TOKEN is sent to one service only. Give a --token for each --url.',
    );
    expect(() => benchedServices({ url: [A, 'http://a.example:8081'] }, 'shared')).toThrow('RXSCRIBE_TOKEN');
  });

  test.each([
    [
      'a token is missing',
      { url: [A, B], token: ['one'] },
      /--token .* for each address \(addresses: 2, tokens: 1\)/,
    ],
    ['no token is given', { url: [A] }, /--token .*\(addresses: 1, tokens: 0\)/],
    [
      'a name is missing',
      { url: ['embedded', A], token: ['one'], name: ['a'] },
      /--name for each service \(services: 2, names: 1\)/,
    ],
    ['two have one name', { url: ['embedded', 'embedded'] }, /Two services have the name 'embedded'/],
    [
      'an address is none',
      { url: ['nonsense secret'], token: ['one'] },
      /^The service address 'url' must be an absolute URL that begins with [^,]+, [^,]+, [^,]+ or [^,]+\.$/,
    ],
  ])('are refused when %s', (_, flags, message) => {
    expect(() => benchedServices(flags, undefined)).toThrow(message);
  });
});
