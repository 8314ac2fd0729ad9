import { PROBLEM_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { ProblemSchema } from '../../protocol/problems.ts';
import { PROBLEMS, type ProblemCode } from '../problems.ts';
import { refTo } from './components.ts';

/** Problems of any request. */
const ALWAYS: readonly ProblemCode[] = [
  'invalidParameters',
  'expectationFailed',
  'headersTooLarge',
  'internal',
  'unavailable',
];
/** Problems of a request with a token. */
const WITH_ACCOUNT: readonly ProblemCode[] = ['unauthorized', 'tooManyRequests'];
/** Problems of a request with a body. */
export const WITH_BODY: readonly ProblemCode[] = [
  'requestTimeout',
  'payloadTooLarge',
  'unsupportedMediaType',
];

const text = (description: string) => ({ type: 'string', description });
const HEADERS: Partial<Record<number, object>> = {
  401: { 'WWW-Authenticate': text('`Bearer`') },
  426: { Upgrade: text('`websocket`'), 'Sec-WebSocket-Version': text('`13`') },
  429: { 'Retry-After': text('Seconds after which to try again.') },
};

/** Returns the 200 response of an operation. */
export const jsonResponse = (description: string, schema: object) => ({
  200: { description, content: { 'application/json': { schema } } },
});

/** Returns the answers of 400 and above of an operation, by status. */
export function problemResponses(
  codes: readonly ProblemCode[],
  { isOpen = false } = {},
): Record<string, object> {
  const all = new Set([...ALWAYS, ...(isOpen ? [] : WITH_ACCOUNT), ...codes]);
  const statuses = new Set([...all].map(code => PROBLEMS[code].status).sort());
  return Object.fromEntries([...statuses].map(status => [status, problemResponse(status, [...all])]));
}

function problemResponse(status: number, codes: readonly ProblemCode[]): object {
  const titles = codes.map(code => PROBLEMS[code]).filter(problem => problem.status === status);
  return {
    description: titles.map(({ title }) => title).join('; or: '),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: refTo(ProblemSchema) } },
    ...(HEADERS[status] && { headers: HEADERS[status] }),
  };
}
