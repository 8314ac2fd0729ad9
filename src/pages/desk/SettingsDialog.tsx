import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Checkbox, NumberField, Select } from '../fields.tsx';
import { useDesk } from './desk.ts';
import { CLICK_CHOICES, DESK_THEMES, type DeskSettings, SETTING_BOUNDS } from './settings.ts';

const NUMBERS = [
  { name: 'fontSize', label: 'Size of the text in pixels', step: 1 },
  { name: 'stepBack', label: 'Step back at a pause, in seconds', step: 0.5 },
  { name: 'jump', label: 'Jump, in seconds', step: 0.5 },
] as const;

const SWITCHES = [
  { name: 'follow', label: 'Keep the word that plays in view' },
  { name: 'doubts', label: 'Mark words of low confidence' },
] as const;

export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { settings, changeSettings, handlers } = useDesk();
  const change = (name: keyof DeskSettings) => (value: DeskSettings[typeof name]) =>
    changeSettings({ [name]: value });
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div class="fields">
        <Select label="Colours" value={settings.theme} values={DESK_THEMES} onChange={change('theme')} />
        {NUMBERS.map(({ name, ...field }) => (
          <NumberField
            key={name}
            {...field}
            value={settings[name]}
            bounds={SETTING_BOUNDS[name]}
            onChange={change(name)}
          />
        ))}
        <Select
          label="A click on a word moves the audio"
          value={settings.click}
          values={CLICK_CHOICES}
          onChange={change('click')}
        />
        {SWITCHES.map(({ name, label }) => (
          <Checkbox key={name} label={label} value={settings[name]} onChange={change(name)} />
        ))}
      </div>
      <footer>
        <Button onClick={handlers.keys}>Change keys</Button>
      </footer>
    </Dialog>
  );
}
