import type { TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DeskSessionJson } from '../../protocol/desk.ts';
import { DESK_LIMITS } from '../../protocol/limits.ts';
import { Problem } from '../fields.tsx';
import type { DeskApi } from './api.ts';
import type { CallError } from './editor/calls.ts';

export interface LogInProps {
  readonly api: DeskApi;
  readonly onSession: (session: DeskSessionJson) => void;
  /** Name of the person who was logged in before. */
  readonly name?: string | undefined;
}

/** The form for name and password. */
export function LogIn({ api, onSession, name }: LogInProps) {
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => (name ? passwordField : nameField).current?.focus(), []);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setProblem('');
    try {
      onSession(await api.logIn(String(fields.get('username')).trim(), String(fields.get('password'))));
    } catch (error) {
      setProblem(sentenceOf(error as CallError));
      passwordField.current?.select();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="log-in" onSubmit={submit} aria-busy={isBusy}>
      <label>
        Name
        <input
          ref={nameField}
          name="username"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          defaultValue={name}
          maxLength={DESK_LIMITS.nameLength}
          required
        />
      </label>
      <label>
        Password
        <input
          ref={passwordField}
          name="password"
          data-first={name ? true : undefined}
          type="password"
          autocomplete="current-password"
          maxLength={DESK_LIMITS.passwordLength.max}
          required
        />
      </label>
      <Problem text={problem} />
      <button type="submit" class="primary" disabled={isBusy}>
        Log in
      </button>
    </form>
  );
}

function sentenceOf({ status, message }: CallError): string {
  if (status === 401) return 'Name or password is not right.';
  if (status === 429) return 'Too many attempts. Wait a minute, then try again.';
  return message;
}
