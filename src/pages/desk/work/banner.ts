import type { WorkView } from './startWork.ts';

/** A message above the text, with the actions of the person. */
export interface Banner {
  readonly text: string;
  readonly kind: 'warning' | 'problem';
  readonly action?: 'claim' | 'copy' | 'merge' | 'kept';
}

/** Returns the most urgent message on the state of the work; undefined when all is well. */
export function bannerOf({ claim, save, player }: Omit<WorkView, 'speakers'>): Banner | undefined {
  if (claim === 'ended') {
    return {
      kind: 'problem',
      text: 'The job has been finished or deleted by somebody else. Your text is still here, and can be copied.',
      action: 'copy',
    };
  }
  if (claim === 'taken') {
    return {
      kind: 'problem',
      text: 'Another person has claimed this job. You can read and copy your text, but not change it. When the job is free again, claim it to go on.',
      action: 'claim',
    };
  }
  if (save.type === 'conflict') {
    const turns = save.conflicts.length === 1 ? 'A turn has' : `${save.conflicts.length} turns have`;
    return {
      kind: 'problem',
      text: `${turns} been changed here and by ${save.savedBy ?? 'somebody else'}. All other changes of both are kept.`,
      action: 'merge',
    };
  }
  if (save.type === 'kept') {
    return {
      kind: 'problem',
      text: 'This browser has turns of an earlier window that may not be in the text.',
      action: 'kept',
    };
  }
  return warningOf({ claim, save, player });
}

function warningOf({ claim, save, player }: Omit<WorkView, 'speakers'>): Banner | undefined {
  const warning = (text: string): Banner => ({ kind: 'warning', text });
  if (!save.isStored) {
    return warning(
      'The storage of this browser is full: text that is not saved is lost when the page is closed.',
    );
  }
  if (claim === 'lapsed') return warning('Your claim has lapsed. It is requested again; keep typing.');
  if (save.type === 'offline') {
    return warning(
      `The server cannot save now. Go on typing: your text is kept here and sent later. ${save.reason}`,
    );
  }
  if (save.type === 'refused' && save.status !== 401) {
    return warning(`The server does not accept your text, which is kept here. ${save.reason}`);
  }
  if (claim === 'unsure') {
    return warning('The server cannot be reached. Go on typing: your text is kept here and sent later.');
  }
  return player.problem === '' ? undefined : warning(player.problem);
}
