import type { PageHello } from '../../captions/outputs/page/pageText.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Checkbox, NumberField, Select } from '../fields.tsx';
import { QrCode } from './QrCode.tsx';
import { type PageSettings, SETTING_BOUNDS, settingsQuery } from './settings.ts';

interface PanelProps {
  readonly settings: PageSettings;
  readonly hello: PageHello | undefined;
  readonly onChange: (settings: PageSettings) => void;
  readonly onClose: () => void;
}

/** Settings of a viewer, the choice of captions, and the page's address. */
export function SettingsPanel({ settings, hello, onChange, onClose }: PanelProps) {
  const change = (changes: Partial<PageSettings>) => onChange({ ...settings, ...changes });
  const address = addressOf(hello);
  return (
    <Dialog title="Settings" onClose={onClose}>
      <Choices hello={hello} />
      <TextSettings settings={settings} change={change} />
      <ReadingSettings settings={settings} change={change} />
      <footer>
        <Button onClick={() => onChange({})}>Reset</Button>
      </footer>
      <section class="share">
        <h2>This page on another device</h2>
        {isLocal(address) ? (
          <p>Other devices cannot reach this page: its server listens on its own computer only.</p>
        ) : (
          <>
            <QrCode text={address} />
            <p class="address">{address}</p>
          </>
        )}
        <label>
          Address for a browser source
          <input
            type="text"
            readOnly
            value={overlayAddress(settings)}
            onFocus={event => event.currentTarget.select()}
          />
        </label>
      </section>
    </Dialog>
  );
}

/** The captions of the server, for a choice where there are several. */
export function Choices({ hello }: { readonly hello: PageHello | undefined }) {
  if (!hello || hello.choices.length < 2) return null;
  return (
    <nav aria-label="Captions">
      {hello.choices.map(({ name, title, language }) => (
        <a
          key={name}
          href={`./${name}${location.search}`}
          lang={language || undefined}
          aria-current={name === hello.name ? 'page' : undefined}
        >
          {title || name || 'Captions'}
        </a>
      ))}
    </nav>
  );
}

interface PartProps {
  readonly settings: PageSettings;
  readonly change: (changes: Partial<PageSettings>) => void;
}

function TextSettings({ settings, change }: PartProps) {
  const size = settings.size ?? Math.round(Number.parseFloat(getComputedStyle(document.body).fontSize));
  return (
    <fieldset class="fields">
      <legend>Text</legend>
      <label>
        Size
        <input
          type="range"
          min="14"
          max="96"
          step="2"
          value={size}
          onInput={event => change({ size: Number(event.currentTarget.value) })}
        />
      </label>
      <Select
        label="Colours"
        value={settings.theme ?? 'dark'}
        values={{ dark: 'Light on dark', light: 'Dark on light', contrast: 'Yellow on black' }}
        onChange={theme => change({ theme, color: undefined, background: undefined })}
      />
      <Select
        label="Font"
        value={settings.font ?? 'sans-serif'}
        values={{
          'sans-serif': 'Sans serif',
          serif: 'Serif',
          monospace: 'Fixed width',
          ...ownFont(settings.font),
        }}
        onChange={font => change({ font: font === 'sans-serif' ? undefined : font })}
      />
      <Select
        label="Rows"
        value={String(settings.rows ?? 'all')}
        values={{ all: 'Whole page', 2: '2', 3: '3', 4: '4', 6: '6', ...ownRows(settings.rows) }}
        onChange={rows => change({ rows: rows === 'all' ? undefined : Number(rows) })}
      />
    </fieldset>
  );
}

function ReadingSettings({ settings, change }: PartProps) {
  return (
    <fieldset class="fields">
      <legend>Reading</legend>
      <NumberField
        label="Delay in seconds"
        value={settings.delay ?? 0}
        empty={0}
        bounds={SETTING_BOUNDS.delay}
        step={0.5}
        onChange={delay => change({ delay })}
      />
      <Checkbox
        label="Words that may still change"
        value={settings.tail ?? true}
        onChange={tail => change({ tail })}
      />
      <Checkbox
        label="Read aloud by the screen reader"
        value={settings.live ?? false}
        onChange={live => change({ live })}
      />
    </fieldset>
  );
}

const ownFont = (font: string | undefined): Readonly<Record<string, string>> =>
  font ? { [font]: font } : {};
const ownRows = (rows: number | undefined): Readonly<Record<string, string>> =>
  rows === undefined ? {} : { [rows]: String(rows) };

/** Returns the page's address for other devices. That of a page opened on the server's own computer is known to the server. */
export function addressOf(hello: PageHello | undefined): string {
  return isLocal(location.href) && hello ? hello.address : location.origin + location.pathname;
}

/** Returns whether an address leads to the same computer only. */
export function isLocal(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}

function overlayAddress(settings: PageSettings): string {
  const { rows = 2, qr: _, ...others } = settings;
  return location.origin + location.pathname + settingsQuery({ ...others, rows, transparent: true });
}
