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

/** How what is no area's is described in the reference. */

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
      200: { description: 'It is so.', content: { 'application/json': { schema } } },
      ...problemResponses([], { isOpen: true }),
    },
  };
}

const optional = (schemas: TProperties) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)] as const));
const flag = (description: string) => Type.Boolean({ description });
const seconds = ({ min, max }: { min: number; max: number }, description: string): TSchema =>
  Type.Number({ minimum: min, maximum: max, description });

/** Faults in these close the connection; only what is no WebSocket handshake is answered over HTTP. */
const StreamQuerySchema = Type.Object({
  [ACCESS_TOKEN_PARAMETER]: Type.String({ description: 'In place of the authorization header.' }),
  content_type: Type.String({
    description: `What the audio is: ${CONTAINER_TYPES.map(type => `\`${type}\``).join(', ')}, or raw samples, for example \`audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1\`.`,
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
    start_ts: Type.Number({ minimum: 0, description: 'Seconds that are added to every time.' }),
    enable_speaker_switch: flag('Finals have `speaker_id`.'),
    max_segment_duration_seconds: seconds(SEGMENT_DURATION_SECONDS, 'A final comes at least that often.'),
    max_connection_wait_seconds: seconds(CONNECTION_WAIT_SECONDS, 'How long to wait for a free recogniser.'),
  }),
});

export const streamOperation = (messageBytes: number): FastifySchema => ({
  tags: [STREAMING_TAG],
  summary: 'Transcribe live, over a WebSocket',
  description: `Binary messages of audio to the service, each of at most ${inMib(messageBytes)} (more closes with code 1009), the text \`EOS\` at the end; JSON messages \`connected\`, \`partial\` and \`final\` back. A wrong token or query is told by the code with which the connection is closed.`,
  security: [],
  querystring: StreamQuerySchema,
  response: {
    101: { description: 'The connection is a WebSocket from here on.', type: 'null' },
    ...problemResponses(['upgradeRequired'], { isOpen: true }),
  },
});
