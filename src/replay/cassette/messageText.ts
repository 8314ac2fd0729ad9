import type { MessageLine } from './cassette.ts';

/** The text frame of a message line, as it came. */
export function messageText({ message, text }: Pick<MessageLine, 'message' | 'text'>): string {
  return text ?? JSON.stringify(message);
}
