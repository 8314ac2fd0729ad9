import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeskApi } from '../api.ts';
import { mayType } from '../claim.ts';
import { useDesk } from '../desk.ts';
import type { Handlers } from '../keys/actions.ts';
import { useKeys, useMediaKeys } from '../keys/useKeys.ts';
import { PlayerBar } from '../player/PlayerBar.tsx';
import { BannerView } from './BannerView.tsx';
import { FinishDialog } from './FinishDialog.tsx';
import { insertTerm, workHandlers } from './handlers.ts';
import { JobHeader } from './JobHeader.tsx';
import { NoticeView, useNotice } from './Notices.tsx';
import { SidePanel } from './SidePanel.tsx';
import { SpeakerDialog, type SpeakerQuestion } from './SpeakerDialog.tsx';
import type { OpenJob, Work, WorkView } from './startWork.ts';
import { useWork } from './useWork.ts';

export interface WorkScreenProps {
  readonly job: OpenJob;
  /** Goes to the queue, with a sentence for it. */
  readonly onLeave: (sentence: string) => void;
}

/** The screen of a job that is open: audio, text, wishes of the customer. */
export function WorkScreen({ job, onLeave }: WorkScreenProps) {
  const { api } = useDesk();
  const { open } = job;
  const parent = useRef<HTMLDivElement>(null);
  const [isFinishing, setFinishing] = useState(false);
  const [notice, notify] = useNotice();
  const [asked, setAsked] = useState<SpeakerQuestion>();
  const askSpeaker = () => {
    if (open.skip_diarization) notify('The customer wants this job without speakers.');
    else if (isMine) setAsked({ speaker: work!.editor.speakers.current, isOfSelection: true });
  };
  const { work, view } = useWork({ job, parent, notify, onSpeaker: askSpeaker });
  const isMine = view !== undefined && mayType(view.claim);
  const handlers = useScreenHandlers({ job, onLeave }, work, view, {
    notify,
    finish: () => setFinishing(true),
    askSpeaker,
  });
  useTitle(open.job.name || open.job.id);
  const start = (from: 'machine' | 'blank') =>
    work &&
    void startAgain(api, open.job.id, work, from).then(notify, (error: Error) => notify(error.message));
  return (
    <main class="work">
      <JobHeader job={open.job} view={view} handlers={handlers} />
      {work && view && (
        <>
          <BannerView work={work} view={view} notify={notify} />
          <PlayerBar {...work} state={view.player} open={open} handlers={handlers} />
        </>
      )}
      <div class="sheets">
        <section class="text-of-job" aria-label="Text" ref={parent} />
        <SidePanel
          open={open}
          isReadOnly={!isMine}
          onSeek={seconds => work?.player.seek(seconds)}
          speakers={
            work && view && !open.skip_diarization
              ? {
                  speakers: view.speakers,
                  onSpeaker: speaker => notify(work.editor.speakers.give(speaker)),
                  onName: name => notify(work.editor.speakers.name(name, 'selection')),
                  onRename: speaker => setAsked({ speaker, isOfSelection: false }),
                }
              : undefined
          }
          onTerm={term => work && insertTerm(work, term)}
          onStart={start}
        />
      </div>
      <NoticeView notice={notice} />
      {asked && work && (
        <SpeakerDialog
          {...asked}
          work={work}
          offered={open.speaker_names}
          notify={notify}
          onClose={() => setAsked(undefined)}
        />
      )}
      {isFinishing && work && (
        <FinishDialog
          work={work}
          finish={revision => api.finish(open.job.id, revision)}
          onFinished={() => onLeave(`“${open.job.name || open.job.id}” is finished.`)}
          onClose={() => setFinishing(false)}
        />
      )}
    </main>
  );
}

/** Names the tab after the job. */
function useTitle(name: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${name} – ${before}`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

interface ScreenActions {
  readonly notify: (text: string) => void;
  readonly finish: () => void;
  readonly askSpeaker: () => void;
}

/** Returns the functions of all actions on this screen, and binds keys to them. */
function useScreenHandlers(
  { job: { open }, onLeave }: WorkScreenProps,
  work: Work | undefined,
  view: WorkView | undefined,
  { notify, finish, askSpeaker }: ScreenActions,
): Handlers {
  const { api, settings, changeSettings, handlers: ofPage } = useDesk();
  const leave = async () => {
    if (work) await saveBeforeLeaving(work);
    onLeave('');
  };
  const release = async () => {
    try {
      // A job whose text cannot be saved is kept.
      await work?.saver.flush();
      await api.release(open.job.id);
      onLeave('The job is back in the queue.');
    } catch (error) {
      notify(`The job is not given back. ${(error as Error).message}`);
    }
  };
  const propose = (term: string) =>
    void api.propose(open.job.id, term).then(
      () => notify(`“${term}” is proposed for the customer's vocabulary.`),
      (error: Error) => notify(`“${term}” is not proposed. ${error.message}`),
    );
  const isMine = view !== undefined && mayType(view.claim);
  const handlers: Handlers = {
    ...ofPage,
    ...(work && workHandlers({ work, settings, changeSettings, phrases: open.phrases, notify, propose })),
    terms: () => document.querySelector<HTMLElement>('input[name=terms]')?.focus(),
    queue: () => void leave(),
    ...(isMine && { release: () => void release(), finish, speaker: askSpeaker }),
  };
  useKeys({
    handlers,
    onLetGo: () => work?.player.state.isPlaying && work.player.pause(settings.stepBack),
  });
  useMediaKeys(handlers);
  return handlers;
}

/** Replaces the whole text, which can be undone. Resolves with a sentence on it. */
async function startAgain(api: DeskApi, jobId: string, { editor }: Work, from: 'machine' | 'blank') {
  const machine = from === 'machine' ? await api.readMachine(jobId) : undefined;
  editor.replaceAll(machine?.turns ?? [{ speaker: 0, text: '', words: [] }]);
  editor.focus();
  return machine
    ? "This is the machine's text. Undo brings yours back."
    : 'The sheet is blank. Undo brings the text back.';
}

/** Maximum milliseconds that leaving waits for the text to be saved. Unsaved text stays in the browser. */
const LEAVE_MS = 2000;

/** Resolves when the text is saved, or at a timeout; never rejects. */
async function saveBeforeLeaving({ saver }: Work): Promise<void> {
  if (saver.state.type === 'offline') return;
  const late = new Promise(resolve => setTimeout(resolve, LEAVE_MS));
  await Promise.race([saver.flush().catch(() => undefined), late]);
}
