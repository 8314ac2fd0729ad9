import type { DeskContext } from './deskContext.ts';
import { createDeskFinish } from './deskFinish.ts';
import { createDeskQueue } from './deskQueue.ts';
import { createDeskSessions } from './deskSessions.ts';
import { createDeskSound } from './deskSound.ts';
import { createDeskTrail } from './deskTrail.ts';
import { createDeskUsers } from './deskUsers.ts';
import { createDeskTexts } from './drafts.ts';
import { createTimeWords } from './timeWords.ts';

/** The desk: where people transcribe the human jobs of a service. */
export type Desk = ReturnType<typeof createDesk>;

/** Creates the desk of a store. */
export function createDesk(context: DeskContext) {
  const { opened, clock } = context;
  const now = () => new Date(clock.wallTime());
  const sound = createDeskSound(opened);
  return {
    context,
    users: createDeskUsers(opened, now, context.passwordCost),
    sessions: createDeskSessions(opened, now),
    queue: createDeskQueue(context),
    texts: createDeskTexts(context),
    ends: createDeskFinish({ ...context, timeWords: createTimeWords(context, sound) }),
    sound,
    trail: createDeskTrail(opened, now),
  };
}
