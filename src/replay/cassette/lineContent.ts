import { MAX_CLOSE_REASON_BYTES } from '../../protocol/closeCodes.ts';
import { parseStreamQuery } from '../../protocol/streamQuery.ts';
import type { CloseLine, ConnectLine, MessageLine } from './cassette.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';
import type { CassetteFileLine } from './cassetteSchema.ts';
import { messageText } from './messageText.ts';

/** Where none was recorded. */
const ANY_CONTENT_TYPE = 'audio/x-wav';

/** What is wrong with a line by itself that no schema says, as "wanted …, found …"; undefined when nothing is. */
export function contentFault(line: CassetteFileLine): string | undefined {
  switch (line.type) {
    case 'connect':
      return connectFault(line);
    case 'message':
      return messageFault(line);
    case 'close':
      return closeFault(line);
    default:
      return undefined;
  }
}

/** Of the query, what says where the audio is; the rest is only compared. */
function connectFault({ query }: ConnectLine): string | undefined {
  const { content_type = ANY_CONTENT_TYPE, start_ts = '0' } = query;
  try {
    parseStreamQuery(new URLSearchParams({ content_type, start_ts }));
    return undefined;
  } catch {
    return 'wanted a content_type and a start_ts of the interface, found other texts';
  }
}

function messageFault(line: MessageLine): string | undefined {
  if ((line.message === undefined) === (line.text === undefined)) {
    return `wanted either message or text, found ${line.text === undefined ? 'none' : 'both'}`;
  }
  try {
    if (messageText(line).length <= CASSETTE_LIMITS.messageBytes) return undefined;
  } catch {
    return 'wanted a message that can be printed, found one that is too deep';
  }
  return `wanted a message of at most ${CASSETTE_LIMITS.messageBytes} bytes, found a longer one`;
}

/** A handshake that fails says in HTTP why, of any length. */
function closeFault({ by, reason }: CloseLine): string | undefined {
  const bytes = Buffer.byteLength(reason);
  if (by === 'network' || bytes <= MAX_CLOSE_REASON_BYTES) return undefined;
  return `wanted a reason of at most ${MAX_CLOSE_REASON_BYTES} bytes, found ${bytes}`;
}
