import type { Answer, Question } from './messages.ts';

/** What is done for one channel, in the process with the model. */
export interface ChannelWork {
  /** Answers a question; the next one comes when its promise has resolved. */
  handle(question: Question): void | Promise<void>;
  /** Nothing more is wanted. */
  drop?(): void;
}

/** Begins the work for a channel. */
export type ChannelWorker = (answer: (answer: Answer) => void) => ChannelWork;
