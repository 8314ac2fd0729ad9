import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { STREAM_TOKENS_PATH } from '../../protocol/interfaceNames.ts';
import { MAX_METADATA_LENGTH } from '../../protocol/limits.ts';
import { bearerToken } from '../accounts/tokens.ts';
import { readBody } from '../areas/readBody.ts';
import { STREAMING_TAG } from '../openApi/openOperations.ts';
import { jsonResponse, problemResponses, WITH_BODY } from '../openApi/responses.ts';
import type { StreamTokens } from './streamTokens.ts';

const EXPIRY_SECONDS = { minimum: 1, maximum: 3600, default: 60 };
const MAX_SESSIONS = 1000;

const RequestSchema = Type.Object({
  expires_in_seconds: Type.Optional(Type.Integer(EXPIRY_SECONDS)),
  max_sessions: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_SESSIONS, description: 'Default: the limit of the account.' }),
  ),
  metadata: Type.Optional(
    Type.String({
      maxLength: MAX_METADATA_LENGTH,
      description: 'For streams without metadata of their own.',
    }),
  ),
});

const TokenSchema = Type.Object({ token: Type.String(), expires_on: Type.String({ format: 'date-time' }) });

const operation = {
  tags: [STREAMING_TAG],
  summary: 'Create a token that opens streams only',
  description: 'It ends with the token that created it. A stream that runs when it expires goes on.',
  body: { content: { 'application/json': { schema: RequestSchema } } },
  response: { ...jsonResponse('The token, shown once.', TokenSchema), ...problemResponses(WITH_BODY) },
};

/** Adds POST of a stream token, with which a page streams without the token of the account. */
export function streamTokenRoute(
  app: FastifyInstance,
  { streamTokens }: { readonly streamTokens: StreamTokens },
): void {
  app.post(STREAM_TOKENS_PATH, { schema: operation }, async ({ accountId, body, headers, log }) => {
    const given = readBody(RequestSchema, body);
    const { expires_in_seconds: seconds = EXPIRY_SECONDS.default, max_sessions: maxSessions = null } = given;
    const caller = { accountId, minter: bearerToken(headers.authorization)! };
    const limits = { seconds, maxSessions, metadata: given.metadata ?? null };
    const { token, expiresOn, minterId } = await streamTokens.mint(caller, limits);
    log.info(
      { action: 'create stream token', account: accountId, tokenId: minterId, seconds, maxSessions },
      'administration',
    );
    return { token, expires_on: expiresOn.toISOString() };
  });
}
