import type { TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { PageHello } from '../../captions/outputs/page/pageText.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Checkbox, NumberField, Select } from '../fields.tsx';
import { AddressCode, addressOf, isLocal } from './AddressCode.tsx';
import { type PagePosition, type PageSettings, SETTING_BOUNDS, settingsQuery } from './settings.ts';

interface PanelProps {
  readonly settings: PageSettings;
  readonly hello: PageHello | undefined;
  readonly onChange: (settings: PageSettings) => void;
  readonly onClose: () => void;
}

/** Settings of a viewer, and the page's addresses. */
export function SettingsPanel({ settings, hello, onChange, onClose }: PanelProps) {
  const change = (changes: Partial<PageSettings>) => onChange({ ...settings, ...changes });
  const address = addressOf(hello);
  return (
    <Dialog title="Settings" onClose={onClose}>
      <TextSettings settings={settings} change={change} />
      <PlaceSettings settings={settings} change={change} />
      <ReadingSettings settings={settings} change={change} />
      <footer>
        <Button onClick={() => onChange({})}>Reset</Button>
      </footer>
      <section class="share">
        <h3>This page on another device</h3>
        <AddressCode address={address} className="shared" />
        {!isLocal(address) && <CopyButton name="address" text={address} />}
        <h3>This page in OBS, as a browser source</h3>
        <p class="address">{overlayAddress(settings)}</p>
        <CopyButton name="address for OBS" text={overlayAddress(settings)} />
      </section>
    </Dialog>
  );
}

/** A button that copies a text and confirms it. */
function CopyButton({ name, text }: { readonly name: string; readonly text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState<string>();
  const copy = () => {
    // Copied by a selection, as `navigator.clipboard` is missing from pages without https.
    field.current?.select();
    if (document.execCommand('copy')) setCopied(text);
  };
  return (
    <p>
      <Button onClick={copy}>Copy {name}</Button>
      <textarea ref={field} class="unseen" aria-hidden="true" tabIndex={-1} readOnly value={text} />
      <span role="status">{copied === text ? 'Copied.' : ''}</span>
    </p>
  );
}

interface PartProps {
  readonly settings: PageSettings;
  readonly change: (changes: Partial<PageSettings>) => void;
}

/** Smallest and largest number of a slider, and its step. */
const SLIDERS = { size: [14, 96, 2], outline: [0, 12, 1], width: [20, 100, 5] } as const;

interface SliderProps extends Pick<PartProps, 'change'> {
  readonly name: keyof typeof SLIDERS;
  readonly label: string;
  readonly value: number;
}

function Slider({ name, label, value, change }: SliderProps) {
  const [min, max, step] = SLIDERS[name];
  const onInput = (event: TargetedEvent<HTMLInputElement>) =>
    change({ [name]: event.currentTarget.valueAsNumber });
  return (
    <label>
      {label}
      <input type="range" {...{ min, max, step, value, onInput }} />
    </label>
  );
}

function TextSettings({ settings, change }: PartProps) {
  const { theme = 'auto', font = 'sans-serif', background = '', outline = 0 } = settings;
  const size = settings.size ?? Math.round(Number.parseFloat(getComputedStyle(document.body).fontSize));
  return (
    <fieldset class="fields">
      <legend>Text</legend>
      <Slider name="size" label="Size" value={size} change={change} />
      <Select
        label="Colours"
        value={theme}
        values={{
          auto: 'Auto',
          dark: 'Light on dark',
          light: 'Dark on light',
          contrast: 'Yellow on black',
        }}
        onChange={chosen =>
          change({ theme: chosen === 'auto' ? undefined : chosen, color: undefined, background: undefined })
        }
      />
      <Select
        label="Background"
        value={background}
        values={withOwn({ '': 'Auto', '#000000': 'Black', '#000000b3': 'Black, see-through' }, background)}
        // Dark letters cannot be read on black.
        onChange={chosen =>
          change({ background: chosen || undefined, ...(theme === 'light' && { theme: 'dark' }) })
        }
      />
      <Slider name="outline" label="Outline" value={outline} change={change} />
      <Select
        label="Font"
        value={font}
        values={withOwn({ 'sans-serif': 'Sans serif', serif: 'Serif', monospace: 'Fixed width' }, font)}
        onChange={chosen => change({ font: chosen === 'sans-serif' ? undefined : chosen })}
      />
    </fieldset>
  );
}

const POSITIONS = Object.fromEntries(
  ['Top', 'Middle', 'Bottom'].flatMap(vertical =>
    ['left', 'centre', 'right'].map(side => [`${vertical.toLowerCase()}-${side}`, `${vertical} ${side}`]),
  ),
) as Readonly<Record<PagePosition, string>>;

function PlaceSettings({ settings, change }: PartProps) {
  const { rows, width = 100, position = 'bottom-centre' } = settings;
  return (
    <fieldset class="fields">
      <legend>Place</legend>
      <Select
        label="Rows"
        value={String(rows ?? 'all')}
        values={withOwn({ all: 'Whole page', 2: '2', 3: '3', 4: '4', 6: '6' }, String(rows ?? 'all'))}
        onChange={chosen => change({ rows: chosen === 'all' ? undefined : Number(chosen) })}
      />
      <Slider name="width" label="Width" value={width} change={change} />
      <Select
        label="Position"
        value={position}
        values={POSITIONS}
        // Text that fills the page has no position.
        onChange={chosen => change({ position: chosen, rows: rows ?? 3 })}
      />
    </fieldset>
  );
}

function ReadingSettings({ settings, change }: PartProps) {
  const { delay = 0, tail = true, live = false } = settings;
  return (
    <fieldset class="fields">
      <legend>Reading</legend>
      <NumberField
        label="Delay in seconds"
        value={delay}
        empty={0}
        bounds={SETTING_BOUNDS.delay}
        step={0.5}
        onChange={seconds => change({ delay: seconds })}
      />
      <Checkbox label="Words that may still change" value={tail} onChange={on => change({ tail: on })} />
      <Checkbox label="Read aloud by the screen reader" value={live} onChange={on => change({ live: on })} />
    </fieldset>
  );
}

/** Adds a value of the address that is not among the choices. */
function withOwn(values: Readonly<Record<string, string>>, own: string): Readonly<Record<string, string>> {
  return Object.hasOwn(values, own) ? values : { ...values, [own]: own };
}

function overlayAddress(settings: PageSettings): string {
  const { rows = 2, qr: _, ...others } = settings;
  return location.origin + location.pathname + settingsQuery({ ...others, rows, transparent: true });
}
