import type { TargetedMouseEvent } from 'preact';
import {
  type TextElement,
  type Transcript,
  type TranscriptElement,
  UNCERTAIN_BELOW,
  writtenElement,
} from '../../transcript/model/model.ts';
import { Button } from '../Button.tsx';
import { clockText } from '../times.ts';
import { paragraphsOf } from './paragraphs.ts';

export interface TranscriptTextProps {
  readonly transcript: Transcript;
  /** Number of paragraphs to show, the last ones. Default: all. */
  readonly last?: number;
  /** Elements that may still change, after the text. */
  readonly tail?: readonly TranscriptElement[] | undefined;
  /** Plays the audio from a time in seconds. Default: there is no audio. */
  readonly onPlay?: ((seconds: number) => void) | undefined;
}

/** A transcript by paragraphs. Uncertain words are shaded, and a click plays their audio. */
export function TranscriptText({ transcript, last = 0, tail = [], onPlay }: TranscriptTextProps) {
  const paragraphs = paragraphsOf(transcript.monologues).slice(-last);
  const hasSpeakers = transcript.monologues.some(
    ({ speaker, speakerInfo }) => speakerInfo || speaker !== transcript.monologues[0]!.speaker,
  );
  const onClick = ({ target }: TargetedMouseEvent<HTMLElement>) => {
    const seconds = (target as HTMLElement).dataset.ts;
    if (seconds !== undefined) onPlay?.(Number(seconds));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the times of the paragraphs are buttons
    <div class="text" data-plays={onPlay !== undefined} onClick={onClick}>
      {paragraphs.map(({ speaker, ts, elements }, index) => (
        <p key={index} dir="auto">
          <span class="label hint">
            {hasSpeakers && speaker !== paragraphs[index - 1]?.speaker && <strong>{speaker}</strong>}
            {ts !== undefined && <Start ts={ts} onPlay={onPlay} />}
          </span>
          {shown(elements)}
        </p>
      ))}
      {tail.length > 0 && (
        <p class="tail" dir="auto" aria-live="off">
          {shown(tail)}
        </p>
      )}
    </div>
  );
}

function Start({ ts, onPlay }: Pick<TranscriptTextProps, 'onPlay'> & { readonly ts: number }) {
  if (!onPlay) return <time>{clockText(ts)}</time>;
  return (
    <Button class="quiet" aria-label={`Play from ${clockText(ts)}`} onClick={() => onPlay(ts)}>
      ▶ {clockText(ts)}
    </Button>
  );
}

function shown(elements: readonly TranscriptElement[]) {
  return elements.map((element, index) => {
    const isApart = index > 0 && element.type !== 'punct' && elements[index - 1]!.type !== 'punct';
    const text = (isApart ? ' ' : '') + writtenElement(element);
    return element.type === 'text' ? <Word key={index} word={element} text={text} /> : text;
  });
}

function Word({ word: { ts, confidence }, text }: { readonly word: TextElement; readonly text: string }) {
  const title = confidence === undefined ? undefined : `${Math.round(confidence * 100)} % sure`;
  return (
    <span data-ts={ts} data-doubt={(confidence ?? 1) < UNCERTAIN_BELOW} title={title}>
      {text}
    </span>
  );
}
