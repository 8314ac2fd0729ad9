import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageHello, PageText } from '../../captions/outputs/page/pageText.ts';
import { Button } from '../Button.tsx';
import { loadText, saveText } from '../stored.ts';
import { pageUrl } from '../thisPage.ts';
import { AddressCode, addressOf } from './AddressCode.tsx';
import { Announcer } from './announcer.ts';
import { ChoiceMenu, Choices } from './Choices.tsx';
import { Feed } from './feed.ts';
import { applyLooks, onPreferences } from './looks.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { type PageSettings, readSettings, settingsQuery } from './settings.ts';
import { TextView } from './textView.ts';

const SETTINGS_KEY = 'rxscribe.captions';

/** Milliseconds before a lost connection is mentioned, since most are restored at once. */
const UNMENTIONED_MS = 1500;

/** True in the browser of OBS, where the page is transparent by default. */
const isBroadcastTool = 'obsstudio' in window;

/** Rows over a picture, where no number is chosen. */
const OVERLAY_ROWS = 2;

type Phase = 'empty' | 'shown' | 'paused' | 'over';

/** Returns the phase of the captions: without text, with text, paused by a notice, or over. */
function phaseOf({ paragraphs, first, live, tail, isOver }: PageText): Phase {
  if (isOver) return 'over';
  if (paragraphs.every(({ text }) => text === '') && tail === '') return 'empty';
  const isNotice = first + paragraphs.length > live && paragraphs.at(-1)?.kind === 'notice';
  return isNotice ? 'paused' : 'shown';
}

/**
 * Returns the settings of the address or, when it has none, those that the viewer chose before. An address with settings is
 * complete, so that the sources of a broadcast tool, which share a storage, do not change each other.
 */
function loadSettings(): PageSettings {
  const query = location.search;
  return readSettings(query || loadText(SETTINGS_KEY), warning => console.warn(warning));
}

/** Puts settings into the address, and remembers them. */
function saveSettings(settings: PageSettings): void {
  const query = settingsQuery(settings);
  history.replaceState(null, '', `${location.pathname}${query}`);
  saveText(SETTINGS_KEY, query);
}

interface Parts {
  readonly view: TextView;
  readonly feed: Feed;
}

function App() {
  const [settings, setSettings] = useState<PageSettings>(loadSettings);
  const [hello, setHello] = useState<PageHello>();
  const [isConnected, setConnected] = useState(true);
  const [phase, setPhase] = useState<Phase>();
  const [isFollowing, setFollowing] = useState(true);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLDivElement>(null);
  const parts = useRef<Parts>(undefined);
  const isOverlay = settings.transparent ?? isBroadcastTool;
  const rows = settings.rows ?? (isOverlay ? OVERLAY_ROWS : undefined);

  useEffect(() => {
    const view = new TextView({ box: box.current!, onFollow: setFollowing });
    const announcer = new Announcer(region.current!);
    const feed = new Feed({
      url: eventsUrl(),
      delaySeconds: settings.delay ?? 0,
      onText: (text, isNew) => {
        view.show(text);
        announcer.take(text, isNew);
        setPhase(phaseOf(text));
      },
      onHello: setHello,
      onConnected: setConnected,
    });
    parts.current = { view, feed };
    return () => feed.close();
  }, []);
  useEffect(() => onPreferences(() => setSettings(chosen => ({ ...chosen }))), []);
  useEffect(() => {
    applyLooks(settings, { isOverlay, rows });
    parts.current?.feed.setDelay(settings.delay ?? 0);
    const fromTop = settings.position?.startsWith('top') ?? false;
    parts.current?.view.setLayout({ rows, fromTop, hasTail: settings.tail ?? true });
  }, [settings]);
  useEffect(() => {
    if (hello?.title) document.title = hello.title;
  }, [hello]);

  const change = (changed: PageSettings) => {
    saveSettings(changed);
    setSettings(changed);
  };
  return (
    <main>
      <h1 class="unseen">{hello?.title || 'Live captions'}</h1>
      <section
        ref={box}
        class={`box ${isFollowing ? '' : 'back'} ${settings.qr ? 'coded' : ''}`}
        tabIndex={isOverlay ? -1 : 0}
        aria-label="Captions"
        lang={hello?.language || undefined}
      />
      <div ref={region} class="unseen" aria-live={settings.live ? 'polite' : 'off'} hidden={!settings.live} />
      {settings.qr && hello && <AddressCode address={addressOf(hello)} className="corner" />}
      {!isOverlay && <Nothing hello={hello} isEmpty={phase === 'empty'} />}
      {!isOverlay && (
        <div class="controls">
          <Notice isConnected={isConnected} phase={phase} />
          {!isFollowing && (
            <Button class="live" onClick={() => parts.current?.view.follow()}>
              Live ↓
            </Button>
          )}
          {hello && <ChoiceMenu hello={hello} />}
          <Button aria-label="Settings" onClick={() => setPanelOpen(true)}>
            Aa
          </Button>
        </div>
      )}
      {isPanelOpen && (
        <SettingsPanel
          settings={settings}
          hello={hello}
          onChange={change}
          onClose={() => setPanelOpen(false)}
        />
      )}
    </main>
  );
}

/** A placeholder while there is no text, or no captions at this address. */
function Nothing({ hello, isEmpty }: { readonly hello: PageHello | undefined; readonly isEmpty: boolean }) {
  if (!hello || hello.choices.some(({ name }) => name === hello.name))
    return isEmpty && <p class="nothing">Captions will appear here.</p>;
  const isRoot = eventsUrl().pathname === pageUrl('events').pathname;
  return (
    <div class="nothing">
      <p>{isRoot ? '' : 'There are no captions at this address. '}Choose the captions:</p>
      <Choices hello={hello} />
    </div>
  );
}

/** The reason why there is no new text. */
function Notice({ isConnected, phase }: Readonly<{ isConnected: boolean; phase: Phase | undefined }>) {
  const [isMentioned, setMentioned] = useState(false);
  useEffect(() => {
    if (isConnected) return setMentioned(false);
    const timer = setTimeout(() => setMentioned(true), UNMENTIONED_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  const state = phase === 'paused' ? 'Captions are paused.' : '';
  const text = phase === 'over' ? 'The captions have ended.' : isMentioned ? 'Reconnecting …' : state;
  return (
    <p class="connection" role="status">
      {text}
    </p>
  );
}

/** Returns the address of the events: below that of the page. */
function eventsUrl(): URL {
  const name = location.pathname.slice(location.pathname.lastIndexOf('/') + 1);
  return pageUrl(name === '' ? 'events' : `${name}/events`);
}

render(<App />, document.getElementById('root')!);
