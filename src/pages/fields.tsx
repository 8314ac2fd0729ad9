import type { TargetedEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type Bounds, withinBounds } from './bounds.ts';

/** A field with the label before it. */
export interface FieldProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export interface SelectProps<Name extends string> extends FieldProps<Name> {
  /** Texts by name. */
  readonly values: Readonly<Record<Name, string>>;
}

/** A field with a choice of names. */
export function Select<Name extends string>({ label, value, values, onChange }: SelectProps<Name>) {
  return (
    <label>
      {label}
      <select value={value} onChange={event => onChange(event.currentTarget.value as Name)}>
        {Object.entries<string>(values).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export interface NumberFieldProps extends FieldProps<number> {
  /** Value of an empty field. Default: the present one. */
  readonly empty?: number;
  readonly bounds: Bounds;
  readonly step: number;
}

/** A field for a number within bounds. What is being typed stays when a new value comes. */
export function NumberField({ label, value, empty = value, bounds, step, onChange }: NumberFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const onEntered = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const entered = currentTarget.valueAsNumber;
    const next = withinBounds(Number.isFinite(entered) ? entered : empty, bounds);
    currentTarget.value = String(next);
    onChange(next);
  };
  const range = { min: bounds[0], max: bounds[1], step };
  const shown = field.current?.matches(':focus') ? field.current.value : value;
  return (
    <label>
      {label}
      <input ref={field} type="number" {...range} value={shown} onChange={onEntered} />
    </label>
  );
}

export function Checkbox({ label, value, onChange }: FieldProps<boolean>) {
  return (
    <label>
      {label}
      <input type="checkbox" checked={value} onChange={event => onChange(event.currentTarget.checked)} />
    </label>
  );
}

/** A sentence on a problem, which screen readers announce at once; not rendered when empty. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
