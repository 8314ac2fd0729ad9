import type { DeskContext } from './deskContext.ts';
import { createDeskFinish, type DeskFinish } from './deskFinish.ts';
import { createDeskQueue, type DeskQueue } from './deskQueue.ts';
import { createDeskSessions, type DeskSessions } from './deskSessions.ts';
import { createDeskSound, type DeskSound } from './deskSound.ts';
import { createDeskTexts, type DeskTexts } from './deskTexts.ts';
import { createDeskTrail, type DeskTrail } from './deskTrail.ts';
import { createDeskUsers, type DeskUsers } from './deskUsers.ts';
import { type AlignPart, createAlignPart, createTimeWords, createWarmUp } from './timeWords.ts';

/** The desk: where people transcribe the human jobs of a service. */
export interface Desk {
  readonly context: DeskContext;
  readonly users: DeskUsers;
  readonly sessions: DeskSessions;
  readonly queue: DeskQueue;
  readonly texts: DeskTexts;
  readonly ends: DeskFinish;
  readonly sound: DeskSound;
  readonly trail: DeskTrail;
  readonly alignPart: AlignPart;
  /** Prepares {@link alignPart} for a language. */
  readonly warmUp: (language: string) => void;
}

/** Creates the desk of a store. */
export function createDesk(context: DeskContext): Desk {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const sound = createDeskSound(opened);
  const alignPart = createAlignPart(context, sound);
  return {
    context,
    users: createDeskUsers(opened, now, context.passwordCost),
    sessions: createDeskSessions(opened, now),
    queue: createDeskQueue(context),
    texts: createDeskTexts(context),
    ends: createDeskFinish(context, { timeWords: createTimeWords(alignPart) }),
    sound,
    trail: createDeskTrail(opened, now),
    alignPart,
    warmUp: createWarmUp(context),
  };
}
