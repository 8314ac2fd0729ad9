import type { IncomingHttpHeaders } from 'node:http';

/** Returns the token of a client: of its `Authorization`, or from a browser, of the protocols that it offers. */
export function listenToken(headers: IncomingHttpHeaders): string | undefined {
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = headers;
  const [, given] = /^(?:token|bearer) +(\S+) *$/i.exec(authorization) ?? [];
  const [, offered] = /(?:^|,) *(?:token|bearer) *, *([^\s,]+)/i.exec(protocols) ?? [];
  return given ?? offered;
}
