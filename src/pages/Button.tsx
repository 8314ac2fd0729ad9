import type { ButtonHTMLAttributes } from 'preact';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Leaves the focus, and so the cursor, where it is at a click. */
  readonly keepsFocus?: boolean;
}

/** A button that submits no form. */
export function Button({ keepsFocus = false, ...props }: ButtonProps) {
  const onMouseDown = keepsFocus ? (event: MouseEvent) => event.preventDefault() : undefined;
  return <button type="button" onMouseDown={onMouseDown} {...props} />;
}
