import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Subscription } from 'rxjs';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { clockText } from '../times.ts';
import { useWindowEvents } from '../useWindowEvents.ts';
import type { Result } from './Result.tsx';
import { type RecordingState, record, type SoundSource, type Token } from './record.ts';
import { TranscriptText } from './TranscriptText.tsx';

/** Level at which the meter begins, in dB relative to full scale. */
const SILENT_DB = -60;

/** Paragraphs that are shown while somebody speaks, however long that is. */
const LIVE_PARAGRAPHS = 10;

const NO_CREDIT = 'The credit of the account is used up: the text ends here.';

interface SpeakProps {
  readonly token: Token;
  /** Called when a recording begins, and when it has ended. */
  readonly onRecording: (isRecording: boolean) => void;
  readonly onResult: (result: Result) => void;
}

/** Records, and shows the words as they are spoken. */
export function Speak({ token, onRecording, onResult }: SpeakProps) {
  const [state, setState] = useState<RecordingState>();
  const [problem, setProblem] = useState('');
  const running = useRef<{ stop(): void; finish(): void }>(undefined);
  const subscription = useRef<Subscription>(undefined);
  useEffect(() => () => subscription.current?.unsubscribe(), []);
  useWindowEvents({ beforeunload: event => state && event.preventDefault() });
  const start = (source: SoundSource) => {
    // With seconds, no other recording of the list has the name.
    const name = `Recording of ${new Date().toLocaleTimeString(undefined, { timeStyle: 'medium' })}`;
    const recording = record(source, name, token);
    let last: RecordingState | undefined;
    const finish = () => {
      subscription.current?.unsubscribe();
      setState(undefined);
      onRecording(false);
      if (last && last.seconds > 0) onResult({ ...last.live, name, audio: recording.file() });
    };
    running.current = { stop: recording.stop, finish };
    setProblem('');
    onRecording(true);
    subscription.current = recording.state$.subscribe({
      next: next => {
        last = next;
        setState(next);
      },
      error: error => {
        setProblem(error.code === 'out-of-credit' ? NO_CREDIT : (error as Error).message);
        finish();
      },
      complete: finish,
    });
  };
  return (
    <Section title="Speak" class={`card speak ${state ? 'busy' : ''}`}>
      {state ? (
        <Running state={state} {...running.current!} />
      ) : (
        <div class="row">
          <Button class="primary" onClick={() => start('microphone')}>
            ● Microphone
          </Button>
          {'getDisplayMedia' in (navigator.mediaDevices ?? {}) && (
            <Button onClick={() => start('display')}>Sound of a tab</Button>
          )}
        </div>
      )}
      <Problem text={problem} />
    </Section>
  );
}

interface RunningProps {
  readonly state: RecordingState;
  readonly stop: () => void;
  /** Ends at once, without the words that are still awaited. */
  readonly finish: () => void;
}

function Running({ state, stop, finish }: RunningProps) {
  const { live, peakDb, seconds, connection, device } = state;
  const [isStopped, setStopped] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  const onStop = () => {
    setStopped(true);
    stop();
  };
  const text = useMemo(
    () => <TranscriptText transcript={live.transcript} last={LIVE_PARAGRAPHS} tail={live.tail?.elements} />,
    [live],
  );
  return (
    <>
      <div class="row running">
        <button ref={button} type="button" class="primary" onClick={isStopped ? finish : onStop}>
          {isStopped ? 'Finish without the last words' : '■ Stop'}
        </button>
        <span class="clock">{clockText(seconds)}</span>
        <meter aria-label="Level" min={SILENT_DB} max={0} high={-3} value={Math.max(SILENT_DB, peakDb)} />
      </div>
      <p class="hint" role="status">
        {device || connection || 'Listening.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reached by keys */}
      <div class="live" role="log" aria-label="Live captions" tabIndex={0}>
        {text}
      </div>
    </>
  );
}
