import type { TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Problem } from './fields.tsx';

export interface TokenFormProps {
  /** A sentence on why the last token was refused; empty for none. */
  readonly problem: string;
  readonly onToken: (token: string) => void;
}

/** The form for the token of a page. */
export function TokenForm({ problem, onToken }: TokenFormProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (field.current?.value) onToken(field.current.value.trim());
  };
  return (
    <form class="card" onSubmit={submit}>
      <label>
        Token
        <input ref={field} type="password" autocomplete="off" required />
      </label>
      <Problem text={problem} />
      <button type="submit">Open</button>
    </form>
  );
}
