import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wireSeconds } from '../../../protocol/transcriptJson.ts';
import { withUpload } from '../../areas/submitRoute.ts';
import { HIDDEN } from '../../openApi/openOperations.ts';
import { invalidParameters, ProblemError } from '../../problems.ts';
import { admitRequests } from '../../rateLimits/admitRequests.ts';
import type { RoutesOptions } from '../../routes.ts';
import { spoolFile } from '../../uploads/form.ts';
import { channelsOf, submitRecording, transcribed } from '../recording.ts';
import { createWithoutEffect } from '../withoutEffect.ts';
import { serveListeners } from './listening.ts';
import { type RecordingOptions, recordingOptions } from './listenOptions.ts';
import { answerDeepgramErrors, listenToken } from './problems.ts';
import { modelInfo, recordingResults } from './results.ts';

/** Adds Deepgram's interface for speech: recordings, which are jobs of the account, and its live sessions. */
export function deepgramDoor(app: FastifyInstance, context: RoutesOptions): void {
  app.addHook('onRequest', async ({ headers }) => {
    headers.authorization = `Bearer ${listenToken(headers) ?? ''}`;
  });
  answerDeepgramErrors(app);
  admitRequests(app, context);
  // Media of any type is judged by its content.
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  const logIgnored = createWithoutEffect('deepgram');
  const { jobs, recognizer } = context;
  const path = '/listen';
  context.streaming().takeOver(`${app.prefix}${path}`, serveListeners(context, app.log));

  app.post(path, { ...HIDDEN, config: { takesMedia: true } }, async (request, reply) => {
    const options = recordingOptions(
      new URLSearchParams(request.url.replace(/^[^?]*/, '')),
      recognizer.capabilities,
    );
    const created = new Date(context.clock.wallTime()).toISOString();
    logIgnored(request.accountId, options.ignored, request.log);
    const { submitted, sha256 } = await submitBody(request, context, options);
    const done = await transcribed(request, reply, { jobs, submitted, media: 'request' });
    const channels = channelsOf(done.record);
    return reply.header('dg-request-id', request.id).send({
      metadata: {
        transaction_key: 'deprecated',
        request_id: request.id,
        sha256,
        created,
        duration: wireSeconds(done.record.durationSeconds ?? 0),
        channels,
        models: [recognizer.name],
        model_info: { [recognizer.name]: modelInfo(recognizer.name) },
      },
      results: recordingResults(done.transcript, channels, options),
    });
  });
}

/** Submits the job of a recording: the body of a request, or at the address in the body. */
async function submitBody(request: FastifyRequest, context: RoutesOptions, options: RecordingOptions) {
  const { fields, isByChannel, hasSpeakers } = options;
  const json = { ...fields, skip_diarization: !hasSpeakers };
  const { body } = request;
  if (request.isMultipart() || body === undefined) throw new ProblemError('unsupportedMediaType');
  if (!isStream(body)) {
    const { url } = (body ?? {}) as { readonly url?: unknown };
    if (typeof url !== 'string') throw invalidParameters({ url: ['is required'] });
    const recording = { json: { ...json, source_config: { url } }, isByChannel };
    return { submitted: await submitRecording(request, context, recording), sha256: '' };
  }
  const hash = createHash('sha256');
  const read = async () => {
    const path = await context.openUpload();
    await spoolFile(path, audioOf(body, context.limits.uploadBytes, hash));
    return { media: { path } };
  };
  return withUpload(request, context, read, async ({ media }) => ({
    submitted: await submitRecording(request, context, { json, media, isByChannel }),
    sha256: hash.digest('hex'),
  }));
}

const isStream = (body: unknown): body is Readable => typeof (body as Readable | null)?.pipe === 'function';

/** Yields a body up to a number of bytes. */
async function* audioOf(body: Readable, limitBytes: number, hash: Hash): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The server reads the rest of the body, so that the client can read the answer.
  for await (const piece of body.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > limitBytes) throw new ProblemError('payloadTooLarge');
    hash.update(piece);
    yield piece;
  }
}
