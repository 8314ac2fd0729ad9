import { describe, expect, test } from 'vitest';
import { type ResumeServiceFlags, resumeService } from '../../../src/cli/live/resumeService.ts';

const HERE = 'https://here.example';
const THERE = 'https://there.example';
/** As a stream names its service. */
const spool = (...addresses: readonly string[]) => ({
  path: 'talk.spool',
  subject: { addresses, query: {}, marginSeconds: 2 },
});
const given = (flags: Partial<ResumeServiceFlags>): ResumeServiceFlags => ({
  ...{ brand: 'svc', environment: { hasToken: false } },
  ...flags,
});
const ofEnvironment = (url?: string) => given({ token: 'a', environment: { url, hasToken: true } });

describe('the service that repairs a spool', () => {
  test('is the one at --url, whatever the spool names', () => {
    const flags = { ...ofEnvironment(), url: THERE };
    expect(resumeService(spool(HERE), flags)).toEqual({ url: THERE, token: 'a', isChosen: true });
    expect(() => resumeService(spool(HERE), given({ url: THERE }))).toThrow('--url requires --token');
  });

  test('is one that the spool names, with a token of the command line', () => {
    const wanted = { url: HERE, token: 'a', isChosen: false };
    expect(resumeService(spool(HERE, THERE), given({ token: 'a' }))).toEqual(wanted);
    const flags = given({ token: 'a', environment: { url: THERE, hasToken: false } });
    expect(resumeService(spool(HERE), flags)).toEqual(wanted);
  });

  test('gets the token of the environment only if the environment names the service', () => {
    const stream = 'wss://there.example/speechtotext/v1/stream';
    for (const url of [THERE, `${THERE}/`, 'wss://there.example', stream]) {
      expect(resumeService(spool(HERE, stream), ofEnvironment(url))).toEqual({
        ...{ url: THERE, token: 'a', isChosen: true },
      });
    }
    for (const url of [undefined, HERE, `${THERE}.evil.example`, 'http://there.example']) {
      expect(() => resumeService(spool(THERE), ofEnvironment(url))).toThrow(
        `The spool 'talk.spool' requires --token for its service ${THERE}. RXSCRIBE_TOKEN is only sent`,
      );
    }
  });

  test('is embedded when its engine is named, or the spool names none', () => {
    for (const flags of [given({ engine: 'moonshine' }), given({ pause: 1, token: 'a' })]) {
      expect(resumeService(spool(HERE), flags)).toEqual({ isChosen: true });
    }
    expect(resumeService(spool(), ofEnvironment(THERE))).toEqual({ isChosen: true });
  });
});
