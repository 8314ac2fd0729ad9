import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { safeLogger } from '../../../src/service/log/safeLogger.ts';

/** Returns the output of a logger, without its own fields. */
function logged(log: (logger: ReturnType<typeof safeLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  log(
    safeLogger(
      pino({ level: 'trace', base: null, timestamp: false }, { write: line => void lines.push(line) }),
    ),
  );
  expect(lines.join('')).not.toContain('hidden');
  const { level: _, ...record } = JSON.parse(lines[0]!);
  return record;
}

describe('a safe logger', () => {
  test('passes on strings, numbers and lists of them', () => {
    const date = new Date(0);
    const record = { route: '/jobs/:id', ms: 7, ok: true, none: null, changed: ['streams', 3], date };
    expect(logged(logger => logger.info(record, 'request'))).toEqual({
      ...record,
      date: date.toJSON(),
      msg: 'request',
    });
  });

  test('leaves out other objects as a whole, at whatever depth they contain a credential', () => {
    const headers = { authorization: 'Bearer hidden' };
    const record = { options: { headers }, list: [{ headers }], headers: new Headers(headers) };
    expect(logged(logger => logger.trace(record, 'options'))).toEqual({
      options: '[left out]',
      list: ['[left out]'],
      headers: '[left out]',
      msg: 'options',
    });
  });

  test.each(['authorization', 'Authorization', 'token', 'access_token', 'adminToken', 'signing_secret'])(
    'leaves out the text under the name %s',
    name => {
      expect(logged(logger => logger.info({ [name]: 'hidden' }))).toEqual({ [name]: '[left out]' });
      const bound = logged(logger => logger.child({ [name]: 'hidden' }).info('it'));
      expect(bound).toEqual({ [name]: '[left out]', msg: 'it' });
    },
  );

  test('cuts the queries of addresses, and the values of authorization headers, in texts', () => {
    const text = `GET "http://x/y?access_token=hidden&a=1" with Bearer hidden or 'Basic hidden': why? So.`;
    const safe = `GET "http://x/y?…" with Bearer … or 'Basic …': why? So.`;
    expect(logged(logger => logger.info(text))).toEqual({ msg: safe });
    expect(logged(logger => logger.info({ text }, '%s', text))).toEqual({ text: safe, msg: safe });
  });

  test('passes on errors with code, stack and causes, without what libraries attach to them', () => {
    const cause = Object.assign(new TypeError('wanted ?token=hidden'), { input: 'hidden' });
    const error = Object.assign(new RangeError('query failed', { cause }), {
      code: '08006',
      params: ['hidden'],
      query: { authorization: 'hidden' },
    });
    const expected = {
      type: 'RangeError',
      message: 'query failed: wanted ?…',
      code: '08006',
      stack: expect.stringMatching(
        /RangeError: query failed\n\s+at [\s\S]*caused by: TypeError: wanted \?…\n\s+at /,
      ),
    };
    expect(logged(logger => logger.error({ err: error }, 'store'))).toEqual({ err: expected, msg: 'store' });
    expect(logged(logger => logger.error(error))).toMatchObject({ err: expected });
    const several = new AggregateError([error], 'no connection');
    expect(logged(logger => logger.error({ err: several }))).toMatchObject({
      err: { type: 'AggregateError', aggregateErrors: [expected] },
    });
  });

  test('passes on errors of the platform, whose getters need the original error', () => {
    const error = new DOMException('wanted ?token=hidden', 'AbortError');
    expect(logged(logger => logger.error({ err: error }, 'recogniser'))).toEqual({
      err: {
        type: 'DOMException',
        message: 'wanted ?…',
        code: 20,
        stack: expect.stringMatching(/^AbortError: wanted \?…\n\s+at /),
      },
      msg: 'recogniser',
    });
    const inner = new Error('stopped', { cause: error });
    expect(logged(logger => logger.warn(inner))).toMatchObject({ err: { message: 'stopped: wanted ?…' } });
  });

  test('passes on the kind of what was thrown that is no error, without its text', () => {
    const copy = { code: '57P01', message: 'hidden', stack: 'TypeError: hidden\n at x', query: 'hidden' };
    const kind = { type: 'TypeError', code: '57P01' };
    expect(logged(logger => logger.error({ err: copy }, 'store failed'))).toEqual({
      err: kind,
      msg: 'store failed',
    });
    for (const [thrown, err] of [
      [
        { name: 'ErrnoError', errno: 44 },
        { type: 'ErrnoError', errno: 44 },
      ],
      [{ name: 'quotes a hidden text', code: { hidden: 1 }, detail: 'hidden' }, '[left out]'],
      [null, null],
    ]) {
      expect(logged(logger => logger.error({ err: thrown }))).toEqual({ err });
    }
    // Only of what was thrown.
    expect(logged(logger => logger.info({ job: { name: 'hidden' } }))).toEqual({ job: '[left out]' });
  });

  test('does not throw for unreadable objects', () => {
    const record = {
      get hidden(): string {
        throw new Error('hidden');
      },
    };
    const error = Object.defineProperty(
      new Error('hidden'),
      'cause',
      Object.getOwnPropertyDescriptor(record, 'hidden')!,
    );
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [record, error, { circle }]) {
      expect(logged(logger => logger.error(value))).toEqual({ msg: 'unreadable log record' });
    }
  });

  test('handles circular causes', () => {
    const error = new Error('first');
    error.cause = new Error('second', { cause: error });
    expect(logged(logger => logger.error({ err: error }))).toMatchObject({ err: { type: 'Error' } });
  });

  test('has the level of the underlying logger, as do its children', () => {
    const below = pino({ level: 'warn' }, { write: () => {} });
    const logger = safeLogger(below);
    expect([logger.level, logger.child({}).level]).toEqual(['warn', 'warn']);
    logger.level = 'error';
    expect(below.level).toBe('error');
  });
});
