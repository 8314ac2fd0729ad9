import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Checkbox, NumberField, Select } from '../fields.tsx';
import { useDesk } from './desk.ts';
import { CLICK_CHOICES, type DeskSettings, SETTING_BOUNDS, THEMES } from './settings.ts';

export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { settings, changeSettings, handlers } = useDesk();
  const field = <Name extends keyof DeskSettings>(name: Name) => ({
    value: settings[name],
    onChange: (value: DeskSettings[Name]) => changeSettings({ [name]: value }),
  });
  const number = (name: keyof typeof SETTING_BOUNDS) => ({ ...field(name), bounds: SETTING_BOUNDS[name] });
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div class="fields">
        <Select label="Colours" values={THEMES} {...field('theme')} />
        <NumberField label="Size of the text in pixels" step={1} {...number('fontSize')} />
        <NumberField label="Step back at a pause, in seconds" step={0.5} {...number('stepBack')} />
        <NumberField label="Jump, in seconds" step={0.5} {...number('jump')} />
        <Select label="A click on a word moves the audio" values={CLICK_CHOICES} {...field('click')} />
        <Checkbox label="Keep the word that plays in view" {...field('follow')} />
        <Checkbox label="Mark words of low confidence" {...field('doubts')} />
      </div>
      <footer>
        <Button onClick={handlers.keys}>Change keys</Button>
      </footer>
    </Dialog>
  );
}
