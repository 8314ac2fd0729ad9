import { useCallback, useEffect, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import type { ActionId } from '../keys/actions.ts';
import { FirstKey } from '../keys/Keys.tsx';

/** A sentence that is shown for a while, with an answer that it offers. */
export interface Notice {
  readonly text: string;
  /** `action` is the one whose keys accept it. */
  readonly offer?: { readonly label: string; readonly action: ActionId; readonly accept: () => void };
}

/** Shows a notice. */
export type Notify = (text: string, offer?: Notice['offer']) => void;

const SHOWN_MS = 5000;
const OFFERED_MS = 20_000;

/** Returns the notice that is shown now, and functions that show another one, accept what it offers, or remove it. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), notice.offer ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const notify: Notify = useCallback((text, offer) => setNotice({ text, offer }), []);
  const dismiss = () => setNotice(undefined);
  const accept = () => {
    dismiss();
    notice?.offer?.accept();
  };
  return { notice, notify, accept, dismiss };
}

/** The notice in a corner; screen readers say it when they are done with what they say now. */
export function NoticeView({ notice, accept, dismiss }: ReturnType<typeof useNotice>) {
  const offer = notice?.offer;
  return (
    <div class="notices" role="status">
      {notice && (
        <p class="note">
          <span dir="auto">{notice.text}</span>
          {offer && (
            <>
              <Button class="primary" onClick={accept}>
                {offer.label}
              </Button>
              <FirstKey id={offer.action} />
              <Button onClick={dismiss}>No</Button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
