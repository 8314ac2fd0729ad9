export interface SelectProps<Name extends string> {
  readonly label: string;
  readonly value: Name;
  /** Texts by name. */
  readonly values: Readonly<Record<Name, string>>;
  readonly onChange: (value: Name) => void;
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
