/**
 * A site whose page shows live captions of its visitor's microphone. The page streams to the service itself, at `RXSCRIBE_URL`, with a
 * token for a minute and one stream, which it gets from `POST /token`; the token of the account stays in this program.
 *
 * A real site needs before `/token` the log-in of its visitors and a limit of tokens for each of them, such as express-rate-limit,
 * and can name the visitor in `metadata` of the token. It is served by `https:`: a browser gives a microphone to no other page,
 * except on this machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler } from 'express';
import { createClient } from 'rxscribe';

const { RXSCRIBE_URL: url = 'http://127.0.0.1:8080', RXSCRIBE_TOKEN: token, PORT = '8060' } = process.env;
if (!token) throw new Error('Set RXSCRIBE_TOKEN, and RXSCRIBE_URL to an address that browsers reach, too.');

const service = new URL(url);
const client = createClient({ url, token, timeoutMs: 10_000 });
const page = readFileSync(new URL('browser-captions.html', import.meta.url), 'utf8');
const browserModule = import.meta.resolve('rxscribe/browser');
// Its types are those of a page, which a program of Node does not have.
const { CAPTURE_WORKLET } = await import(browserModule);

/** Hashes by which the policy allows what stands between tags of the page, and nothing that an attacker inserts. */
function hashesOf(tag: string): string {
  const contents = page.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'));
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  return Array.from(contents, ([, text]) => `'sha256-${hashOf(text!)}'`).join(' ');
}

const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${hashesOf('script')}`,
  `style-src ${hashesOf('style')}`,
  'img-src data:',
  // `http:` does not include `ws:`.
  `connect-src 'self' ${service.origin.replace(/^http/, 'ws')}`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** Keeps the reason in the log: visitors get the status only. */
const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  console.error(error);
  response.sendStatus(error.status ?? 502);
};

const app = express().disable('x-powered-by');
app.use((_request, response, next) => {
  response.set({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' });
  next();
});
app.get('/', (_request, response) => response.type('html').send(page));
app.get('/service.js', (_request, response) =>
  response.type('js').send(`export const url = ${JSON.stringify(service.href)};`),
);
app.get('/capture.js', (_request, response) => response.type('js').send(CAPTURE_WORKLET));
app.use('/rxscribe', express.static(fileURLToPath(new URL('.', browserModule)), { index: false }));
app.post('/token', async (_request, response) => {
  const { token } = await client.createStreamToken({ expiresInSeconds: 60, maxSessions: 1 }).catch(cause => {
    throw new Error(`The service gives no token: ${cause.httpStatus} ${cause.message}`);
  });
  response.set('cache-control', 'no-store').type('text').send(token);
});
app.use(answerError);
const server = app.listen(Number(PORT), '127.0.0.1', error => {
  if (error) throw error;
  console.error(`Open http://localhost:${(server.address() as AddressInfo).port}`);
});
