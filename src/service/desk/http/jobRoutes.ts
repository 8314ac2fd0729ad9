import type { FastifyInstance } from 'fastify';
import {
  type DeskAlignedJson,
  DeskAlignSchema,
  DeskChangeSchema,
  DeskFinishSchema,
  DeskProposalSchema,
  type DeskSavedJson,
} from '../../../protocol/desk.ts';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { refuse } from '../../areas/faults.ts';
import { readBody } from '../../areas/readBody.ts';
import type { HttpLimits } from '../../limits.ts';
import { ProblemError, tooManyRequests } from '../../problems.ts';
import type { Desk } from '../desk.ts';
import { claimedNow } from '../deskContext.ts';
import { readFinished } from '../deskFigures.ts';
import { audioLink } from './audioRoute.ts';
import { answerEnding, sessionOf, userOf } from './deskRequest.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

const schema = { hide: true } as const;

const ALIGN_TIMEOUT_MS = 30_000;
/** Milliseconds after which a user may align words again. */
const ALIGN_WAIT_MS = 1000;

/** Adds the routes of the queue and of the jobs in it. */
export function jobRoutes(app: FastifyInstance, desk: Desk, { longBodyBytes: bodyLimit }: HttpLimits): void {
  const { queue, texts, trail } = desk;
  app.addHook('onRequest', async ({ params }) => {
    // No id contains it, and the database refuses to compare it.
    if (Object.values(params as object).some(part => part.includes('\0'))) throw new ProblemError('notFound');
  });

  app.get('/jobs', { schema }, () => queue.list());

  app.get('/finished', { schema }, request => readFinished(desk.context, userOf(request)));

  app.post<OneJob>('/jobs/:id/claim', { schema }, async request => {
    const { id } = request.params;
    const { job, isNew } = await queue.claim(userOf(request), id);
    // The page extends its claim as long as it is open.
    desk.warmUp(job.language);
    if (isNew) await trail.add(userOf(request).name, 'claim', id);
    return job;
  });

  app.post<OneJob>('/jobs/:id/release', { schema }, async (request, reply) => {
    const user = userOf(request);
    const { id } = request.params;
    const released = await queue.release(user, id);
    if (released) await trail.add(user.name, released === 'own' ? 'release' : 'take back', id);
    return reply.code(204).send();
  });

  app.get<OneJob>('/jobs/:id', { schema }, async request => {
    const { id } = request.params;
    const opened = await queue.open(userOf(request), id);
    await trail.add(userOf(request).name, 'open', id);
    return opened;
  });

  app.get<OneJob>('/jobs/:id/draft', { schema }, request => texts.read(userOf(request), request.params.id));

  app.get<OneJob>('/jobs/:id/machine', { schema }, request =>
    texts.machine(userOf(request), request.params.id),
  );

  app.patch<OneJob>('/jobs/:id/draft', { schema, bodyLimit }, async (request): Promise<DeskSavedJson> => {
    const change = readBody(DeskChangeSchema, request.body);
    return { revision: await texts.save(userOf(request), request.params.id, change) };
  });

  app.post<OneJob>('/jobs/:id/finish', { schema }, async (request, reply) => {
    const { revision } = readBody(DeskFinishSchema, request.body);
    const { id } = request.params;
    const user = userOf(request);
    const ending = desk.ends.begin(id, ['finish', user.name, revision], begun =>
      desk.ends.finish(begun, user, revision),
    );
    return answerEnding(reply, ending, desk.context);
  });

  app.post<OneJob>('/jobs/:id/proposals', { schema }, async (request, reply) => {
    const { phrase } = readBody(DeskProposalSchema, request.body);
    const job = await claimedNow(desk.context, userOf(request), request.params.id);
    await trail.propose(userOf(request), job, phrase);
    await trail.add(userOf(request).name, 'propose term', job.id);
    return reply.code(204).send();
  });
  soundRoutes(app, desk);
}

/** Adds the routes of the audio, and of times in it. */
function soundRoutes(app: FastifyInstance, desk: Desk): void {
  const { sound, trail, alignPart } = desk;
  /** Users for whom words are aligned: one alignment at a time, as each takes a processor. */
  const aligning = new Set<string>();

  app.get<OneJob>('/jobs/:id/peaks', { schema }, async request =>
    sound.peaks(await claimedNow(desk.context, userOf(request), request.params.id)),
  );

  app.post<OneJob>('/jobs/:id/audio', { schema }, async request => {
    const { id } = await claimedNow(desk.context, userOf(request), request.params.id);
    await trail.add(userOf(request).name, 'listen', id);
    return audioLink(sessionOf(request), id, desk.context.clock.wallTime());
  });

  app.post<OneJob>('/jobs/:id/align', { schema }, async (request): Promise<DeskAlignedJson> => {
    const { words, ts, end_ts: endTs } = readBody(DeskAlignSchema, request.body);
    if (endTs <= ts) refuse([['end_ts', 'must be after ts']]);
    if (endTs - ts > DESK_LIMITS.alignedSeconds) {
      refuse([['end_ts', `must be at most ${DESK_LIMITS.alignedSeconds} seconds after ts`]]);
    }
    const job = await claimedNow(desk.context, userOf(request), request.params.id);
    const { name } = userOf(request);
    if (aligning.has(name)) throw tooManyRequests(ALIGN_WAIT_MS);
    aligning.add(name);
    try {
      const found = await alignPart(job, { words, ts, endTs }, AbortSignal.timeout(ALIGN_TIMEOUT_MS));
      return { words: found.map(span => (span ? ([span.ts, span.endTs] as const) : null)) };
    } finally {
      aligning.delete(name);
    }
  });
}
