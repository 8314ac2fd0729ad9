import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { CONTAINER_TYPES } from '../../audio/format/contentType.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';
import { AccountSchema } from '../../protocol/jobs.ts';
import { STREAM_PARAMETERS } from '../../protocol/streamQuery.ts';
import { inMib, refTo } from './components.ts';
import { jsonResponse, problemResponses } from './responses.ts';

export const ACCOUNT_TAG = 'Account';
export const STREAMING_TAG = 'Streaming speech-to-text';
export const HEALTH_TAG = 'Health';

/** A route that the reference leaves out. */
export const HIDDEN: { readonly schema: FastifySchema } = { schema: { hide: true } };

export const accountOperation: FastifySchema = {
  tags: [ACCOUNT_TAG],
  summary: 'Get the account whose token the request carries',
  response: { ...jsonResponse('The account.', refTo(AccountSchema)), ...problemResponses([]) },
};

export function healthOperation(summary: string): FastifySchema {
  const schema = Type.Object({ status: Type.Literal('ok') });
  return {
    tags: [HEALTH_TAG],
    summary,
    security: [],
    response: { ...jsonResponse('Yes.', schema), ...problemResponses([], { isOpen: true }) },
  };
}

/** The query of a stream. Faults in it close the connection; HTTP answers only requests that are no WebSocket handshake. */
const StreamQuerySchema = Type.Object({
  [ACCESS_TOKEN_PARAMETER]: Type.String({ description: 'Replaces the authorization header.' }),
  content_type: Type.String({
    description: `The format of the audio: ${CONTAINER_TYPES.map(type => `\`${type}\``).join(', ')}, or raw samples, for example \`audio/x-raw;layout=interleaved;rate=16000;format=S16LE;channels=1\`.`,
  }),
  ...Object.fromEntries(
    Object.entries(STREAM_PARAMETERS).map(([name, schema]) => [name, Type.Optional(asParameter(schema))]),
  ),
});

/** Returns the schema of a parameter; a list is JSON in one parameter. */
function asParameter(schema: TSchema): TSchema {
  const { description } = schema as { readonly description?: string };
  return Type.IsArray(schema) ? Type.String({ description }) : schema;
}

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
