import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS_TOKEN_PARAMETER } from '../../../protocol/interfaceNames.ts';
import type { FinalEvent, TranscriptEvent } from '../../../transcript/model/events.ts';
import { textOf } from '../../../transcript/model/model.ts';
import { addressOf } from '../../../web/requestAddresses.ts';
import { bearerToken } from '../../accounts/tokens.ts';
import { ProblemError } from '../../problems.ts';
import type { RoutesOptions } from '../../routes.ts';
import type { UploadedMedia } from '../../uploads/form.ts';
import { InnerClient, openInnerSession, problemOfClose, type SessionClose } from '../innerClient.ts';
import { spokenOnly } from '../spokenOnly.ts';
import { usageOf } from './answers.ts';
import type { TranscriptionFields } from './fields.ts';
import { errorBody } from './problems.ts';

/**
 * Answers with server-sent events: a delta with the text of each final of a session, and the whole text. The session reads the
 * media as fast as the recogniser does, also when the client leaves: its job has all words.
 *
 * @throws ProblemError for a session that does not begin
 */
export async function answerStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    fields,
    media,
    context,
  }: { readonly fields: TranscriptionFields; readonly media: UploadedMedia; readonly context: RoutesOptions },
): Promise<void> {
  const events = new PassThrough();
  const began = Promise.withResolvers<SessionClose | undefined>();
  const ended = Promise.withResolvers<SessionClose>();
  const post = (event: object) => events.write(`data: ${JSON.stringify(event)}\n\n`);
  let text = '';
  let seconds = 0;
  const onFinal = ({ elements, endTs }: FinalEvent) => {
    seconds = endTs;
    const said = textOf(spokenOnly(elements)).trim();
    if (said === '') return;
    const delta = (text === '' ? '' : ' ') + said;
    text += delta;
    post({ type: 'transcript.text.delta', delta });
  };
  const client = new InnerClient({
    onEvent(event: TranscriptEvent) {
      if (event.type === 'connected') began.resolve(undefined);
      if (event.type === 'final') onFinal(event);
    },
    onClose(close) {
      began.resolve(close);
      ended.resolve(close);
    },
    unsentBytes: () => events.writableLength,
  });
  // The client left while its media was read.
  if (reply.raw.destroyed) throw new ProblemError('requestTimeout');
  request.raw.socket.setTimeout(0);
  const applicant = { parameters: parametersOf(request, fields), address: addressOf(request.ip) };
  openInnerSession(client, applicant, { context, request });
  feed(client, media.path).catch(() => client.terminate());
  const refused = await began.promise;
  const refusal = refused && problemOfClose(refused);
  if (refusal) throw refusal;
  void reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').send(events);
  const problem = problemOfClose(await ended.promise);
  if (problem) post(errorBody(problem));
  else post({ type: 'transcript.text.done', text, usage: usageOf({ seconds }) });
  events.end('data: [DONE]\n\n');
  await finished(events, { readable: false }).catch(() => {});
}

/** Writes a file to a session, no faster than it is read there. */
async function feed(client: InnerClient, path: string): Promise<void> {
  for await (const piece of createReadStream(path)) {
    await client.write(piece);
    if (client.readyState !== client.OPEN) return;
  }
  // When the session listens.
  await client.write(new Uint8Array(0));
  client.end();
}

function parametersOf(
  { headers }: FastifyRequest,
  { language, phrases }: TranscriptionFields,
): URLSearchParams {
  return new URLSearchParams({
    [ACCESS_TOKEN_PARAMETER]: bearerToken(headers.authorization) ?? '',
    content_type: 'audio/*',
    ...(language !== undefined && { language }),
    ...(phrases.length > 0 && { custom_vocabularies: JSON.stringify([{ phrases }]) }),
  });
}
