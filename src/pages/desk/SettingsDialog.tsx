import { Button } from '../Button.tsx';
import { Select } from '../Select.tsx';
import { Dialog } from './Dialog.tsx';
import { CLICK_CHOICES, DESK_THEMES, type DeskSettings, SETTING_BOUNDS, withinBounds } from './settings.ts';

export interface SettingsDialogProps {
  readonly settings: DeskSettings;
  readonly onChange: (changes: Partial<DeskSettings>) => void;
  readonly onChangeKeys: () => void;
  readonly onClose: () => void;
}

export function SettingsDialog({ settings, onChange, onChangeKeys, onClose }: SettingsDialogProps) {
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div class="fields">
        <Select
          label="Colours"
          value={settings.theme}
          values={DESK_THEMES}
          onChange={theme => onChange({ theme })}
        />
        <Amount name="fontSize" label="Size of the text in pixels" step={1} {...{ settings, onChange }} />
        <Amount
          name="stepBack"
          label="Step back at a pause, in seconds"
          step={0.5}
          {...{ settings, onChange }}
        />
        <Amount name="jump" label="Jump, in seconds" step={0.5} {...{ settings, onChange }} />
        <Select
          label="A click on a word moves the audio"
          value={settings.click}
          values={CLICK_CHOICES}
          onChange={click => onChange({ click })}
        />
        <Switch name="follow" label="Keep the word that plays in view" {...{ settings, onChange }} />
        <Switch name="doubts" label="Mark words of low confidence" {...{ settings, onChange }} />
      </div>
      <footer>
        <Button onClick={onChangeKeys}>Change keys</Button>
      </footer>
    </Dialog>
  );
}

interface FieldProps<Name extends keyof DeskSettings> {
  readonly name: Name;
  readonly label: string;
  readonly settings: DeskSettings;
  readonly onChange: (changes: Partial<DeskSettings>) => void;
}

function Amount({
  name,
  label,
  step,
  settings,
  onChange,
}: FieldProps<'fontSize' | 'stepBack' | 'jump'> & { readonly step: number }) {
  const bounds = SETTING_BOUNDS[name];
  return (
    <label>
      {label}
      <input
        type="number"
        min={bounds[0]}
        max={bounds[1]}
        step={step}
        value={settings[name]}
        onChange={({ currentTarget }) => {
          const value = currentTarget.valueAsNumber;
          if (Number.isFinite(value)) onChange({ [name]: withinBounds(value, bounds) });
          else currentTarget.value = String(settings[name]);
        }}
      />
    </label>
  );
}

function Switch({ name, label, settings, onChange }: FieldProps<'follow' | 'doubts'>) {
  return (
    <label>
      {label}
      <input
        type="checkbox"
        checked={settings[name]}
        onChange={event => onChange({ [name]: event.currentTarget.checked })}
      />
    </label>
  );
}
