import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { withForm } from '../../areas/submitRoute.ts';
import { HIDDEN } from '../../openApi/openOperations.ts';
import { invalidParameters, ProblemError } from '../../problems.ts';
import { admitRequests } from '../../rateLimits/admitRequests.ts';
import type { RoutesOptions } from '../../routes.ts';
import { submitRecording, transcribed } from '../recording.ts';
import { createWithoutEffect } from '../withoutEffect.ts';
import { answerIn } from './answers.ts';
import { FIELDS, readFields, type TranscriptionFields } from './fields.ts';
import { answerOpenAiErrors } from './problems.ts';
import { answerStreamed } from './streamed.ts';

/** Name of the part with the media. */
const MEDIA = 'file';

/** Adds the routes of OpenAI's interface: transcriptions and models. Each transcription is a job of the account. */
export function openaiDoor(app: FastifyInstance, context: RoutesOptions): void {
  answerOpenAiErrors(app);
  admitRequests(app, context);
  const logIgnored = createWithoutEffect('openai');
  const { name, capabilities } = context.recognizer;
  const { customVocabulary } = capabilities;

  app.post('/audio/transcriptions', HIDDEN, async (request, reply) => {
    if (!request.isMultipart())
      throw new ProblemError('unsupportedMediaType', { detail: 'The body must be a form.' });
    const parts = { media: MEDIA, texts: FIELDS, textBytes: context.limits.bodyBytes };
    const { fields, submitted } = await withForm(request, context, parts, async form => {
      const given = readFields(form.texts);
      if (!form.media) throw invalidParameters({ [MEDIA]: ['is required'] });
      if ((await stat(form.media.path)).size === 0)
        throw invalidParameters({ [MEDIA]: ['must not be empty'] });
      const isUnheard = !customVocabulary && given.phrases.length > 0;
      const fields = isUnheard ? { ...given, phrases: [] } : given;
      const ignored = [...form.ignoredParts, ...given.ignored, ...(isUnheard ? ['prompt'] : [])];
      logIgnored(request.accountId, ignored, request.log);
      if (fields.isStreamed) {
        await answerStreamed(request, reply, { fields, media: form.media, context });
        return { fields };
      }
      const json = submissionOf(fields);
      return { fields, submitted: await submitRecording(request, context, { json, media: form.media }) };
    });
    if (!submitted) return reply;
    const { jobs } = context;
    const { record, transcript } = await transcribed(request, reply, { jobs, submitted, media: MEDIA });
    const { language = 'en', durationSeconds: seconds = 0 } = record;
    const { type, body } = answerIn(fields, { transcript, seconds, language });
    // As bytes: the framework would add a charset to a string.
    return reply.type(type).send(Buffer.from(body));
  });

  const model = { id: name, object: 'model', created: 0, owned_by: 'rxscribe' };
  app.get('/models', HIDDEN, async () => ({ object: 'list', data: [model] }));
  app.get('/models/:id', HIDDEN, async ({ params }) => {
    if ((params as { id: string }).id === name) return model;
    throw new ProblemError('notFound', { detail: `The only model is '${name}'.` });
  });
}

function submissionOf({ language, phrases, format }: TranscriptionFields): Record<string, unknown> {
  return {
    ...(language !== undefined && { language }),
    ...(phrases.length > 0 && { custom_vocabularies: [{ phrases }] }),
    skip_diarization: format !== 'diarized_json',
  };
}
