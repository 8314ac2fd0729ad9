import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { TRANSCRIPT_ENDINGS, type TranscriptEnding } from '../../captions/files/transcriptEnding.ts';
import { withNames } from '../../transcript/merge/withNames.ts';
import { type Transcript, textOf } from '../../transcript/model/model.ts';
import { Button } from '../Button.tsx';
import { Problem } from '../fields.tsx';
import { Section } from '../Section.tsx';
import { speakerName } from './paragraphs.ts';
import { TranscriptText } from './TranscriptText.tsx';
import { Waveform } from './Waveform.tsx';

/** A transcript that the page shows. */
export interface Result {
  /** Id of its job, where it has one. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly transcript: Transcript;
  /** Its audio, where this page has it. */
  readonly audio?: Blob | undefined;
}

interface ResultViewProps {
  readonly result: Result;
  /** True to move the focus to the result. */
  readonly takesFocus: boolean;
}

/** A transcript with its audio and its files. */
export function ResultView({ result, takesFocus }: ResultViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [names, setNames] = useState<Readonly<Record<number, string>>>({});
  const transcript = useMemo(() => {
    const given = Object.entries(names).map(([speaker, name]) => [speaker, name.trim()]);
    return withNames(result.transcript, { speakers: Object.fromEntries(given.filter(([, name]) => name)) });
  }, [result, names]);
  const player = usePlayer(result.audio);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [result]);
  const text = useMemo(
    () => <TranscriptText transcript={transcript} onPlay={player.url ? player.play : undefined} />,
    [transcript, player.url],
  );
  return (
    <section class="card result" aria-labelledby="result">
      <h2 id="result" ref={heading} tabIndex={-1}>
        <bdi>{result.name}</bdi>
      </h2>
      {player.url ? (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: the text beside it is what is said */}
          <audio
            ref={player.audio}
            src={player.url}
            controls
            onTimeUpdate={player.onTime}
            onError={player.onError}
          />
          <Waveform audio={player.audio} blob={result.audio!} transcript={result.transcript} />
        </>
      ) : (
        <p class="hint">
          {result.audio
            ? 'This browser cannot play the recording.'
            : 'The audio can be played only in the tab that it was sent from.'}
        </p>
      )}
      <Speakers transcript={result.transcript} names={names} onNames={setNames} />
      <p class="hint legend">
        <span data-doubt="true">Shaded words</span> are those that the recogniser is not sure of.
      </p>
      <div ref={player.text}>{text}</div>
      {transcript.monologues.length > 0 ? (
        <Files name={result.name} transcript={transcript} />
      ) : (
        <p class="hint">No word was recognised.</p>
      )}
    </section>
  );
}

/** The audio of a result: a click on a word plays it, and the playing word is marked. */
function usePlayer(blob: Blob | undefined) {
  const audio = useRef<HTMLAudioElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isUnplayable, setUnplayable] = useState(false);
  const url = useMemo(() => blob && URL.createObjectURL(blob), [blob]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  const onTime = () => {
    const seconds = audio.current?.currentTime ?? 0;
    const words = [...(text.current?.querySelectorAll<HTMLElement>('[data-ts]') ?? [])];
    const now = words.findLast(({ dataset }) => Number(dataset.ts) <= seconds + 0.05);
    for (const word of text.current?.querySelectorAll('.now') ?? []) word.classList.remove('now');
    now?.classList.add('now');
  };
  return {
    audio,
    text,
    url: isUnplayable ? undefined : url,
    onTime,
    onError: () => setUnplayable(true),
    play(seconds: number) {
      if (!audio.current) return;
      audio.current.currentTime = seconds;
      audio.current.play().catch(() => undefined);
    },
  };
}

interface SpeakersProps {
  readonly transcript: Transcript;
  readonly names: Readonly<Record<number, string>>;
  readonly onNames: (names: Readonly<Record<number, string>>) => void;
}

/** Fields for the names of several speakers. */
function Speakers({ transcript, names, onNames }: SpeakersProps) {
  const speakers = [
    ...new Map(transcript.monologues.map(monologue => [monologue.speaker, monologue])).values(),
  ];
  if (speakers.length < 2) return null;
  return (
    <details class="speakers">
      <summary>{speakers.length} speakers</summary>
      <div class="row">
        {speakers.map(monologue => (
          <input
            key={monologue.speaker}
            aria-label={`Name of ${speakerName(monologue)}`}
            placeholder={speakerName(monologue)}
            maxLength={40}
            disabled={monologue.speakerInfo !== undefined}
            value={names[monologue.speaker] ?? ''}
            onInput={({ currentTarget }) => onNames({ ...names, [monologue.speaker]: currentTarget.value })}
          />
        ))}
      </div>
    </details>
  );
}

function Files({ name, transcript }: { readonly name: string; readonly transcript: Transcript }) {
  const [problem, setProblem] = useState('');
  const [note, setNote] = useState('');
  const attempt = (work: () => Promise<unknown>, done: string) => {
    setProblem('');
    setNote('');
    work().then(
      () => setNote(done),
      error => setProblem((error as Error).message),
    );
  };
  const save = async (ending: TranscriptEnding) => {
    // The writers of all formats are larger than the page.
    const { download } = await import('./formats.ts');
    download(name, ending, transcript);
  };
  const text = () => transcript.monologues.map(({ elements }) => textOf(elements)).join('\n');
  return (
    <Section title="Save the transcript" heading="h3">
      <div class="row">
        {TRANSCRIPT_ENDINGS.map(ending => (
          <Button key={ending} onClick={() => attempt(() => save(ending), `Saved as ${ending}.`)}>
            {ending}
          </Button>
        ))}
        <Button onClick={() => attempt(() => navigator.clipboard.writeText(text()), 'Copied.')}>Copy</Button>
        <span class="hint" role="status">
          {note}
        </span>
        <Problem text={problem} />
      </div>
    </Section>
  );
}
