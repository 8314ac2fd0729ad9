import { describe, expect, test } from 'vitest';
import { closeError } from '../../src/client/closeErrors.ts';
import { CLOSE } from '../../src/protocol/closeCodes.ts';

describe('the error of a close', () => {
  test.each([
    [CLOSE.unauthorized, 'UnauthorizedError', 'unauthorized'],
    [CLOSE.badRequest, 'BadRequestError', 'bad-request'],
    [CLOSE.outOfCredit, 'OutOfCreditError', 'out-of-credit'],
    [CLOSE.shuttingDown, 'ShuttingDownError', 'unavailable'],
    [CLOSE.noInstance, 'NoInstanceError', 'unavailable'],
    [CLOSE.tooManyRequests, 'TooManyRequestsError', 'too-many-requests'],
    [CLOSE.internalError, 'ServiceFailedError', 'unavailable'],
    [CLOSE.unexpectedText, 'ProtocolError', 'protocol'],
    [CLOSE.idle, 'IdleError', 'timeout'],
  ])('%o is typed, and says what was meant and what to do', (rule, name, code) => {
    const error = closeError({ opened: true, code: rule.code, reason: rule.reason });
    expect(error).toMatchObject({ name, code, closeCode: rule.code, reason: rule.reason, retry: rule.retry });
    expect(error.message).toContain(`${rule.code}`);
    expect(error.message).toContain(rule.reason);
    expect(error.advice).toMatch(/^[A-Z].*\.$/);
  });

  test('covers every code of the interface', () => {
    const codes = Object.values(CLOSE).filter(rule => rule !== CLOSE.endOfInput);
    const lost = codes.filter(
      ({ code, reason }) => closeError({ opened: true, code, reason }).code === 'connection-lost',
    );
    expect(lost).toEqual([]);
  });

  test.each([1000, 1001, 1005, 1006, 1012, 1015, 3000, 4999])('%i is a lost connection', code => {
    const error = closeError({ opened: true, code, reason: '' });
    expect(error).toMatchObject({ name: 'ConnectionLostError', closeCode: code, retry: true });
  });

  test('keeps a cause, and names it by its code when it has no message', () => {
    const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    const error = closeError({ opened: false, code: 1006, reason: '', cause });
    expect(error).toMatchObject({ name: 'UnreachableError', code: 'unreachable', cause, retry: true });
    expect(error.closeCode).toBeUndefined();
    expect(error.message).toBe('The service cannot be reached: ECONNREFUSED.');
  });

  test('ends in one full stop, when its cause is a sentence too', () => {
    const cause = new Error('The peer is away.');
    const { message } = closeError({ opened: true, code: 1006, reason: '', cause });
    expect(message).toBe('The stream ended without a transcript: the connection broke: The peer is away.');
  });

  test('says that the connection broke where the service did not close it', () => {
    const { message } = closeError({ opened: true, code: 1006, reason: '' });
    expect(message).toBe('The stream ended without a transcript: the connection broke.');
  });
});

describe('the error of an HTTP answer', () => {
  test.each([
    [200, 'UnreachableError', false],
    [301, 'UnreachableError', false],
    [400, 'BadRequestError', false],
    [401, 'UnauthorizedError', false],
    [403, 'UnauthorizedError', false],
    [404, 'UnreachableError', false],
    [429, 'TooManyRequestsError', false],
    [500, 'ServiceFailedError', true],
    [502, 'ServiceFailedError', true],
    [503, 'NoInstanceError', true],
  ])('%i is %s', (httpStatus, name, retry) => {
    const error = closeError({ opened: false, code: 1006, reason: 'Why', httpStatus });
    expect(error).toMatchObject({ name, httpStatus, reason: 'Why', retry });
    expect(error.message).toContain(`${httpStatus} (Why)`);
    expect(error.advice).toMatch(/^[A-Z].*\.$/);
  });
});
