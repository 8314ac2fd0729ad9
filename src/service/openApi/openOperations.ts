import type { FastifySchema } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import { CONTAINER_TYPES } from '../../audio/format/contentType.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';
import { AccountSchema } from '../../protocol/jobs.ts';
import {
  CONNECTION_WAIT_SECONDS,
  MAX_DELETE_AFTER_SECONDS,
  MAX_METADATA_LENGTH,
  SEGMENT_DURATION_SECONDS,
} from '../../protocol/limits.ts';
import { inMib } from './areaOperations.ts';
import { refTo } from './components.ts';
import { problemResponses } from './problemResponses.ts';

export const ACCOUNT_TAG = 'Account';
export const STREAMING_TAG = 'Streaming speech-to-text';
export const HEALTH_TAG = 'Health';

export const accountOperation: FastifySchema = {
  tags: [ACCOUNT_TAG],
  summary: 'Get the account whose token the request carries',
  response: {
    200: { description: 'The account.', content: { 'application/json': { schema: refTo(AccountSchema) } } },
    ...problemResponses([]),
  },
};

export function healthOperation(summary: string): FastifySchema {
  const schema = Type.Object({ status: Type.Literal('ok') });
  return {
    tags: [HEALTH_TAG],
    summary,
    security: [],
    response: {
      200: { description: 'Yes.', content: { 'application/json': { schema } } },
      ...problemResponses([], { isOpen: true }),
    },
  };
}

const optional = (schemas: TProperties) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)] as const));
const flag = (description: string) => Type.Boolean({ description });
const seconds = ({ min, max }: { min: number; max: number }, description: string): TSchema =>
  Type.Number({ minimum: min, maximum: max, description });

/** The query of a stream. Faults in it close the connection; HTTP answers only requests that are no WebSocket handshake. */
const StreamQuerySchema = Type.Object({
  [ACCESS_TOKEN_PARAMETER]: Type.String({ description: 'Replaces the authorization header.' }),
  content_type: Type.String({
    description: `The format of the audio: ${CONTAINER_TYPES.map(type => `\`${type}\``).join(', ')}, or raw samples, for example \`audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1\`.`,
  }),
  ...optional({
    metadata: Type.String({ maxLength: MAX_METADATA_LENGTH }),
    language: Type.String(),
    custom_vocabulary_id: Type.String(),
    custom_vocabularies: Type.String({ description: 'JSON, as in a submission.' }),
    filter_profanity: flag('As in a submission.'),
    remove_disfluencies: flag('As in a submission.'),
    skip_postprocessing: flag('As in a submission.'),
    delete_after_seconds: Type.Integer({ minimum: 0, maximum: MAX_DELETE_AFTER_SECONDS }),
    user_agent: Type.String(),
    detailed_partials: flag('Partials have times and confidences.'),
    start_ts: Type.Number({ minimum: 0, description: 'Seconds added to every time.' }),
    enable_speaker_switch: flag('Finals have `speaker_id`.'),
    max_segment_duration_seconds: seconds(SEGMENT_DURATION_SECONDS, 'Maximum seconds between finals.'),
    max_connection_wait_seconds: seconds(CONNECTION_WAIT_SECONDS, 'Seconds to wait for a free recogniser.'),
  }),
});

export const streamOperation = (messageBytes: number): FastifySchema => ({
  tags: [STREAMING_TAG],
  summary: 'Transcribe live, over a WebSocket',
  description: `Send binary messages of audio, each of at most ${inMib(messageBytes)} (a longer one closes with code 1009), then the text \`EOS\`. The service sends the JSON messages \`connected\`, \`partial\` and \`final\`. The close code reports an invalid token or query.`,
  security: [],
  querystring: StreamQuerySchema,
  response: {
    101: { description: 'The connection is now a WebSocket.', type: 'null' },
    ...problemResponses(['upgradeRequired'], { isOpen: true }),
  },
});
