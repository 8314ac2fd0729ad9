import type { RecognizerResult } from '../../engines/recognizer.ts';
import { ENDINGS, type EndingDecision } from './ending.ts';
import type { Inbox } from './inbox.ts';

/** The pauses of a stream: the moments at which its client has the final of all recognised words. */
export interface Pauses {
  /** Call for each result of the recogniser. */
  received(result: RecognizerResult): void;
  /** Call when the event of a result is sent. */
  reported(result: RecognizerResult): void;
}

/**
 * Makes a drain end the session at its next pause, or now during one. A client that connects elsewhere then sends its audio
 * from the end of the last final on, which lies between two words.
 *
 * A session whose client has ended its audio goes on to its own end.
 */
export function endAtPause(decision: EndingDecision, inbox: Pick<Inbox, 'hasEnded'>): Pauses {
  let isDraining = false;
  let hasWords = false;
  let waitingFinals = 0;
  const check = () => {
    if (isDraining && !hasWords && waitingFinals === 0 && !inbox.hasEnded) {
      decision.decide(ENDINGS.shuttingDown);
    }
  };
  decision.onDrain(() => {
    isDraining = true;
    check();
  });
  return {
    received({ type }) {
      if (type === 'final') waitingFinals++;
    },
    reported({ type, words }) {
      if (type === 'final') waitingFinals--;
      hasWords = type === 'partial' && words.length > 0;
      check();
    },
  };
}
