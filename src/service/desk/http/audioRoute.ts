import type { FastifyInstance } from 'fastify';
import { DESK_PREFIX, type DeskAudioJson } from '../../../protocol/desk.ts';
import { ProblemError } from '../../problems.ts';
import type { Desk } from '../desk.ts';
import { claimedNow } from '../deskContext.ts';
import { type DeskSession, sessionKey } from '../deskSessions.ts';
import { isSame, sessionOf, userOf } from './deskRequest.ts';

/** Milliseconds for which an address of audio is valid. */
const LINK_MS = 3_600_000;

/** Returns an address of the audio of a job for a session. */
export function audioLink(session: DeskSession, id: string, nowMs: number): DeskAudioJson {
  const until = nowMs + LINK_MS;
  const key = keyOf(session, id, String(until));
  return {
    url: `audio/${encodeURIComponent(id)}?until=${until}&key=${key}`,
    expires_on: new Date(until).toISOString(),
  };
}

const keyOf = (session: DeskSession, id: string, until: string) =>
  sessionKey(session, `audio ${id} ${until}`);

interface Audio {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly until?: unknown; readonly key?: unknown };
}

/** Adds the route of audio, in whole or a part of it. */
export function audioRoute(app: FastifyInstance, { context, sound }: Desk): void {
  app.get<Audio>(`${DESK_PREFIX}/audio/:id`, { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params;
    const until = String(request.query.until);
    const key = String(request.query.key);
    const nowMs = context.clock.wallTime();
    const isValid = isSame(key, keyOf(sessionOf(request), id, until)) && Number(until) > nowMs;
    if (!isValid) throw new ProblemError('forbidden', { detail: 'The address of the audio has expired.' });
    const job = await claimedNow(context, userOf(request), id);
    const range = rangeOf(request.headers.range);
    const part = await sound.read(job, range ?? { start: 0 });
    if (!part) throw new ProblemError('rangeNotSatisfiable');
    const { bytes, start, end, size } = part;
    return reply
      .code(range ? 206 : 200)
      .headers({
        'accept-ranges': 'bytes',
        'content-type': 'audio/wav',
        'content-length': end - start + 1,
        'cross-origin-resource-policy': 'same-origin',
        ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
      })
      .send(bytes);
  });
}

/** Returns the part that a Range header asks for; of other forms than those of media elements, all. */
function rangeOf(header: string | undefined): { start: number; end?: number } | undefined {
  const [, start, end = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (start === undefined || (end !== '' && Number(end) < Number(start))) return undefined;
  return { start: Number(start), end: end === '' ? undefined : Number(end) };
}
