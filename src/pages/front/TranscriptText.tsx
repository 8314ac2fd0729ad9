import type { TargetedMouseEvent } from 'preact';
import {
  type TextElement,
  type Transcript,
  type TranscriptElement,
  writtenElement,
} from '../../transcript/model/model.ts';
import { Button } from '../Button.tsx';
import { clockText } from '../times.ts';
import { type Paragraph, paragraphsOf } from './paragraphs.ts';

/** Confidences below which a word is shaded: little, and much. */
const DOUBTFUL = { some: 0.8, much: 0.5 } as const;

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
      {paragraphs.map((paragraph, index) => (
        <p key={index} dir="auto">
          <Label
            paragraph={paragraph}
            hasSpeaker={hasSpeakers && paragraph.speaker !== paragraphs[index - 1]?.speaker}
            onPlay={onPlay}
          />
          {shown(paragraph.elements)}
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

interface LabelProps extends Pick<TranscriptTextProps, 'onPlay'> {
  readonly paragraph: Paragraph;
  readonly hasSpeaker: boolean;
}

function Label({ paragraph: { speaker, ts }, hasSpeaker, onPlay }: LabelProps) {
  return (
    <span class="label">
      {hasSpeaker && <strong>{speaker}</strong>}
      {ts !== undefined && onPlay && (
        <Button class="quiet" aria-label={`Play from ${clockText(ts)}`} onClick={() => onPlay(ts)}>
          ▶ {clockText(ts)}
        </Button>
      )}
      {ts !== undefined && !onPlay && <time>{clockText(ts)}</time>}
    </span>
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
  const doubt = confidence === undefined ? undefined : doubtOf(confidence);
  const title = confidence === undefined ? undefined : `${Math.round(confidence * 100)} % sure`;
  return (
    <span data-ts={ts} data-doubt={doubt} title={title}>
      {text}
    </span>
  );
}

/** Returns whether a transcript has words that are shaded. */
export const hasDoubt = ({ monologues }: Transcript) =>
  monologues.some(({ elements }) =>
    elements.some(element => element.type === 'text' && (element.confidence ?? 1) < DOUBTFUL.some),
  );

function doubtOf(confidence: number): keyof typeof DOUBTFUL | undefined {
  if (confidence < DOUBTFUL.much) return 'much';
  return confidence < DOUBTFUL.some ? 'some' : undefined;
}
