import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './Button.tsx';

export interface DialogProps {
  readonly title: string;
  /** Called when the person closes the dialog. Without this function, the dialog stays open. */
  readonly onClose?: (() => void) | undefined;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog, open as long as it is rendered. The element with `data-first`, else the first one, gets the focus; closing
 * returns the focus to the earlier element.
 */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const onClosed = () => {
    if (onClose) onClose();
    // Browsers close any dialog at the second Escape.
    else dialog.current?.showModal();
  };
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : undefined}
      aria-labelledby={titleId}
      // A click beside the dialog closes it.
      closedby={onClose ? 'any' : 'none'}
      onCancel={event => !onClose && event.preventDefault()}
      onClose={onClosed}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <Button class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
            ✕
          </Button>
        )}
      </header>
      {children}
    </dialog>
  );
}
