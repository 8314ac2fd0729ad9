import type { TappedClose, WireTap } from '../../../client/stream/wireTap.ts';
import type { CassetteLine } from '../cassette.ts';
import { messageFields, queryFields } from '../cassetteLines.ts';
import type { LineOf } from '../cassetteSchema.ts';
import type { NewLine } from './cassetteWriter.ts';

export interface CassetteTapOptions {
  readonly write: <Line extends CassetteLine>(line: NewLine<Line>) => Line;
  /** Called when a service has accepted the connection. */
  readonly onOpened: () => void;
  /** Called with a received message before the client handles it. */
  readonly onMessage: (line: LineOf<'message'>, text: string) => void;
}

/** Creates a tap that writes lines for everything on the wire, and counts the connections. */
export function cassetteTap({
  write,
  onOpened,
  onMessage,
}: CassetteTapOptions): WireTap & { readonly connections: number } {
  let connections = 0;
  return {
    get connections() {
      return connections;
    },
    query({ startFrame, query }) {
      const fields = queryFields({ ...query, contentType: { kind: 'any' } });
      write<LineOf<'query'>>({ type: 'query', frame: startFrame, query: fields });
    },
    connect({ address, query, originFrame }) {
      const connection = connections++;
      let frame = originFrame;
      const place = () => ({ connection, frame });
      write({ type: 'connect', ...place(), address, query: queryFields(query) });
      return {
        opened() {
          write({ type: 'opened', ...place() });
          onOpened();
        },
        audio({ startFrame, frames }) {
          frame = startFrame + frames;
          write({ type: 'send', ...place(), start: startFrame, frames });
        },
        padding: ({ frames }) => write({ type: 'pad', ...place(), frames }),
        sent: text => write({ type: 'send_text', ...place(), text }),
        received(text) {
          onMessage(write<LineOf<'message'>>({ type: 'message', ...place(), ...messageFields(text) }), text);
        },
        receivedBinary: () => write({ type: 'binary', ...place() }),
        closed: end => write({ type: 'close', ...place(), ...closeFields(end) }),
      };
    },
  };
}

function closeFields({ by, code, reason, httpStatus }: TappedClose) {
  const isStatus = httpStatus !== undefined && httpStatus >= 100;
  return { by, code, reason, http_status: isStatus ? httpStatus : undefined };
}
