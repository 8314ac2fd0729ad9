import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { emptyPageText, type PageText } from '../../captions/outputs/page/pageText.ts';
import { Feed } from '../audience/feed.ts';
import { Button } from '../Button.tsx';
import { Section } from '../Section.tsx';
import { bareWord } from '../texts.ts';
import { pageUrl } from '../thisPage.ts';

interface PreviewProps {
  /** Name of the track. */
  readonly track: string;
  readonly onWord: (word: string) => void;
}

/** Words of the preview: those that viewers can see, and some before them. */
const WORDS = 80;

/** The text that viewers see. A chosen word is passed to the rules. */
export function Preview({ track, onWord }: PreviewProps) {
  const [text, setText] = useState<PageText>(emptyPageText);
  const [isConnected, setConnected] = useState(true);
  const list = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const url = pageUrl(track === '' ? 'events' : `${track}/events`);
    const feed = new Feed({ url, delaySeconds: 0, onText: setText, onConnected: setConnected });
    return () => feed.close();
  }, [track]);
  useEffect(() => {
    // The latest words, unless somebody is about to choose one.
    if (!list.current?.contains(document.activeElement)) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [text]);
  const words = wordsOf(text);
  // The list is one stop of the tab key; the arrow keys move from word to word.
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[at + step]?.focus();
  };
  return (
    <Section title="What viewers see" class="card preview">
      <p ref={list} class="words" dir="auto" onKeyDown={onKeyDown}>
        {words.map(({ key, word }, index) => (
          <Fragment key={key}>
            <Button
              tabIndex={index === words.length - 1 ? 0 : -1}
              onClick={() => onWord(bareWord(word) || word)}
            >
              {word}
            </Button>{' '}
          </Fragment>
        ))}
        {text.tail !== '' && <span class="tail">{text.tail}</span>}
      </p>
      {words.length === 0 && text.tail === '' && <p class="hint">The screen is empty.</p>}
      {!isConnected && <p class="problem">The preview is not up to date: no connection.</p>}
    </Section>
  );
}

function wordsOf({ paragraphs, first, live }: PageText) {
  const all = paragraphs.slice(Math.max(0, live - first)).flatMap(({ text }, index) =>
    text
      .split(' ')
      .filter(Boolean)
      .map((word, at) => ({ key: `${Math.max(first, live) + index}/${at}`, word })),
  );
  return all.slice(-WORDS);
}
