import type { FastifyInstance } from 'fastify';
import { STREAM_TOKENS_PATH } from '../../protocol/interfaceNames.ts';
import { StreamTokenRequestSchema, StreamTokenSchema } from '../../protocol/jobs.ts';
import { bearerToken } from '../accounts/tokens.ts';
import { readBody } from '../areas/readBody.ts';
import { STREAMING_TAG } from '../openApi/openOperations.ts';
import { jsonResponse, problemResponses, WITH_BODY } from '../openApi/responses.ts';
import type { StreamTokens } from './streamTokens.ts';

const schema = {
  tags: [STREAMING_TAG],
  summary: 'Create a token that opens streams only',
  description: 'The token ends with the token that created it. Its expiry does not end a running stream.',
  body: { content: { 'application/json': { schema: StreamTokenRequestSchema } } },
  response: {
    ...jsonResponse('The token, shown only here.', StreamTokenSchema),
    ...problemResponses(WITH_BODY),
  },
};

/** Adds POST of a stream token, with which a page streams without the token of the account. */
export function streamTokenRoute(app: FastifyInstance, streamTokens: StreamTokens): void {
  app.post(STREAM_TOKENS_PATH, { schema }, async ({ accountId: account, body, headers, log }) => {
    const bearer = bearerToken(headers.authorization)!;
    const request = readBody(StreamTokenRequestSchema, body);
    const { token, tokenId, expiresOn } = await streamTokens.mint(bearer, account, request);
    log.info({ action: 'create stream token', account, tokenId, expiresOn }, 'administration');
    return { token, expires_on: expiresOn.toISOString() };
  });
}
