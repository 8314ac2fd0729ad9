import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { useWindowEvents } from '../useWindowEvents.ts';
import type { Api, ApiError } from './api.ts';
import type { Result } from './Result.tsx';

/** Milliseconds between two questions for the state of a job. */
const POLL_MS = 700;

interface UploadProps {
  readonly api: Api;
  /** Called when the job of a file was submitted, and when it has ended. */
  readonly onSubmitted: (id: string, file: File) => void;
  readonly onResult: (result: Result) => void;
}

interface Progress {
  readonly text: string;
  /** True until the job is submitted. */
  readonly isSending?: boolean;
  /** 0 to 1; undefined while it is not known. */
  readonly part?: number | undefined;
}

/** Transcribes files that are chosen, or dropped anywhere on the page. */
export function Upload({ api, onSubmitted, onResult }: UploadProps) {
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const take = async (file: File | undefined, others = 0) => {
    if (!file) return;
    if (progress || others > 0)
      return setProblem('One recording at a time: choose it when no other one is sent.');
    running.current = new AbortController();
    const { signal } = running.current;
    setProblem('');
    try {
      const result = await transcribed(api, file, { signal, onSubmitted, onProgress: setProgress });
      if (result && !signal.aborted) onResult(result);
    } catch (error) {
      if (!signal.aborted) setProblem(`${file.name}: ${(error as Error).message}`);
    } finally {
      setProgress(undefined);
    }
  };
  useWindowEvents({
    beforeunload: event => progress?.isSending && event.preventDefault(),
    dragover: event => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    dragleave: event => {
      // Also at the border between two elements of the page.
      if (!event.relatedTarget) setOver(false);
    },
    drop: event => {
      const { files, types = [] } = event.dataTransfer ?? {};
      if (!types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      void take(files?.[0], (files?.length ?? 1) - 1);
    },
  });
  return (
    <Section title="A recording" class={`card upload ${isOver ? 'over' : ''}`}>
      <input
        ref={field}
        type="file"
        hidden
        accept="audio/*,video/*"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      {progress ? (
        <>
          <label class="progress">
            {progress.text}
            <progress value={progress.part} max={1} />
          </label>
          <Button onClick={() => running.current?.abort()}>
            {progress.isSending ? 'Cancel' : 'Stop waiting'}
          </Button>
        </>
      ) : (
        <div class="row">
          <Button onClick={() => field.current?.click()}>Choose a file</Button>
          <span class="hint">or drop one here</span>
        </div>
      )}
      <Problem text={problem} />
    </Section>
  );
}

interface TranscribedOptions {
  readonly signal: AbortSignal;
  readonly onSubmitted: (id: string, file: File) => void;
  readonly onProgress: (progress: Progress) => void;
}

/** Submits a file, and resolves with its result when the job has ended; with undefined when the wait was aborted. */
async function transcribed(
  api: Api,
  file: File,
  { signal, onSubmitted, onProgress }: TranscribedOptions,
): Promise<Result | undefined> {
  const showSent = (part: number) => onProgress({ text: 'Sending …', isSending: true, part });
  showSent(0);
  let job = await api.submit(file, showSent, signal);
  onSubmitted(job.id, file);
  while (job.status === 'in_progress' && !signal.aborted) {
    const { progress } = job;
    onProgress({ text: 'Transcribing …', part: progress === undefined ? undefined : progress / 100 });
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
    const before = job;
    // The job continues while the service cannot be reached, or has a new token for this page.
    job = await api
      .job(job.id)
      .catch((error: ApiError) => (isLasting(error) ? Promise.reject(error) : before));
  }
  if (signal.aborted) return undefined;
  onSubmitted(job.id, file);
  if (job.status === 'failed') throw new Error(job.failure_detail ?? 'The job has failed.');
  return { id: job.id, name: file.name, transcript: await api.transcript(job.id), audio: file };
}

const isLasting = ({ status }: ApiError) => status >= 400 && status < 500 && status !== 401 && status !== 429;
