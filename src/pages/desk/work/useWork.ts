import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWindowEvents } from '../../useWindowEvents.ts';
import { useDesk } from '../desk.ts';
import { type OpenJob, startWork, type Work, type WorkView } from './startWork.ts';

export interface UseWorkOptions {
  readonly job: OpenJob;
  readonly parent: RefObject<HTMLElement | null>;
  readonly notify: (sentence: string) => void;
  /** Called when the label of a turn is clicked. */
  readonly onSpeaker: () => void;
}

/** Opens the work at a job, and keeps it in step with settings, log-ins and the network. */
export function useWork(options: UseWorkOptions) {
  const { job, parent } = options;
  const { api, settings, logIns } = useDesk();
  const [work, setWork] = useState<Work>();
  const [view, setView] = useState<WorkView>();
  const latest = useRef({ ...options, settings });
  latest.current = { ...options, settings };
  useEffect(() => {
    if (!parent.current) return;
    const opened = startWork({
      api,
      job,
      parent: parent.current,
      onView: setView,
      onSelectWord: ts => {
        const { click } = latest.current.settings;
        const isPaused = !opened.player.state.isPlaying;
        if (click === 'always' || (click === 'paused' && isPaused)) opened.player.seek(ts);
      },
      onMerged: (author = 'another window') =>
        latest.current.notify(`Changes of ${author} are merged with the text.`),
      onSpeaker: () => latest.current.onSpeaker(),
      onRefused: sentence => latest.current.notify(sentence),
    });
    opened.player.setVolume(settings.volume);
    opened.editor.focus();
    setWork(opened);
    return opened.close;
  }, [api, job]);
  useEffect(() => work?.editor.setFollowing(settings.follow), [work, settings.follow]);
  useEffect(() => work?.editor.markUncertain(settings.doubts), [work, settings.doubts]);
  useEffect(() => {
    if (!work || logIns === 0) return;
    void work.claim.askNow().then(() => work.saver.resume());
    work.player.renew();
  }, [logIns]);
  useWindowEvents({
    online: () => void work?.claim.askNow(),
    // Warns before text that is not sent is left.
    beforeunload: event => {
      if (work && work.saver.state.type !== 'saved') event.preventDefault();
    },
  });
  return { work, view };
}
