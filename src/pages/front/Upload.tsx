import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { useWindowEvents } from '../useWindowEvents.ts';
import type { Api } from './api.ts';
import type { Result } from './Result.tsx';

/** Milliseconds between two questions for the state of a job. */
const POLL_MS = 700;

interface UploadProps {
  readonly api: Api;
  /** Called when a job was submitted. */
  readonly onSubmitted: () => void;
  readonly onResult: (result: Result) => void;
}

interface Progress {
  readonly text: string;
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
  const take = async (file: File | undefined) => {
    if (!file || progress) return;
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
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer?.files[0]);
    },
  });
  return (
    <Section
      title="A recording"
      class={`card upload ${isOver ? 'over' : ''}`}
      aria-busy={progress !== undefined}
    >
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
          <Button onClick={() => running.current?.abort()}>Stop waiting</Button>
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
  readonly onSubmitted: () => void;
  readonly onProgress: (progress: Progress) => void;
}

/** Submits a file, and resolves with its result when the job has ended; with undefined when the wait was aborted. */
async function transcribed(
  api: Api,
  file: File,
  { signal, onSubmitted, onProgress }: TranscribedOptions,
): Promise<Result | undefined> {
  onProgress({ text: 'Sending …', part: 0 });
  let job = await api.submit(file, part => onProgress({ text: 'Sending …', part }), signal);
  onSubmitted();
  while (job.status === 'in_progress' && !signal.aborted) {
    const { progress } = job;
    onProgress({ text: 'Transcribing …', part: progress === undefined ? undefined : progress / 100 });
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
    job = await api.job(job.id);
  }
  if (signal.aborted) return undefined;
  if (job.status === 'failed') throw new Error(job.failure_detail ?? 'The job has failed.');
  return { id: job.id, name: file.name, transcript: await api.transcript(job.id), audio: file };
}
