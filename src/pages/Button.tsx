import type { ButtonHTMLAttributes } from 'preact';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** A click does not move the focus, and so not the cursor. */
  readonly keepsFocus?: boolean;
}

/** A button that submits no form. */
export function Button({ keepsFocus = false, ...props }: ButtonProps) {
  const onMouseDown = keepsFocus ? (event: MouseEvent) => event.preventDefault() : undefined;
  return <button type="button" onMouseDown={onMouseDown} {...props} />;
}
