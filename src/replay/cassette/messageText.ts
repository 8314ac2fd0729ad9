import type { MessageLine } from './cassette.ts';

type MessageFields = Pick<MessageLine, 'message' | 'text'>;

/** The text frame of a message line, as it came. */
export function messageText({ message, text }: MessageFields): string {
  return text ?? JSON.stringify(message);
}

/** What the text frame of a message line says in JSON, of any kind; undefined when it is none. */
export function messageJson({ message, text }: MessageFields): unknown {
  if (text === undefined) return message;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
