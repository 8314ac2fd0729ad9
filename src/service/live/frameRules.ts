import { CLOSE, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { ENDINGS, type Ending } from './ending.ts';
import { type FrameHead, isControl, OPCODE } from './frameHead.ts';

/** Where the payload of a frame goes: to the recogniser, to the WebSocket library, or nowhere. */
export type FrameWay = 'audio' | 'protocol' | 'nowhere';

/** Says of each frame by its head where it goes, or that the stream ends with it. */
export interface FrameRules {
  next(frame: FrameHead): FrameWay | Ending;
}

/**
 * The rules for the frames of one client. A text longer than the end of the stream and a message beyond the limit are
 * refused by their heads alone.
 *
 * @param messageBytes bytes that a message of audio may have
 */
export function createFrameRules(messageBytes: number): FrameRules {
  /** The message of which more frames are to come. */
  let open: 'audio' | 'text' | undefined;
  let bytes = 0;
  return {
    next({ opcode, isLast, length }) {
      // Of a pong the bytes are enough: they show that the client lives.
      if (isControl(opcode)) return opcode === OPCODE.pong ? 'nowhere' : 'protocol';
      const isStart = opcode !== OPCODE.continuation;
      if (isStart === (open !== undefined)) return ENDINGS.protocolError;
      const kind = isStart ? (opcode === OPCODE.binary ? 'audio' : 'text') : open;
      bytes = isStart ? length : bytes + length;
      open = isLast ? undefined : kind;
      if (kind === 'text') return bytes > END_OF_STREAM.length ? ENDINGS.unexpectedText : 'protocol';
      if (bytes <= messageBytes) return 'audio';
      return { rule: CLOSE.messageTooBig, why: `wanted at most ${messageBytes} bytes`, flush: true };
    },
  };
}
