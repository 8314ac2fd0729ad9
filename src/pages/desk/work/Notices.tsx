import { useCallback, useEffect, useState } from 'preact/hooks';

/** A sentence that is shown for a while, with an answer that it offers. */
export interface Notice {
  readonly text: string;
  readonly offer?: { readonly label: string; readonly accept: () => void };
}

const SHOWN_MS = 5000;
const OFFERED_MS = 20_000;

/** Returns the notice that is shown now, and a function that shows another one. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), notice.offer ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const notify = useCallback((text: string, offer?: Notice['offer']) => {
    setNotice({ text, ...(offer && { offer }) });
  }, []);
  return { notice, notify, dismiss: useCallback(() => setNotice(undefined), []) };
}

export interface NoticeViewProps {
  readonly notice: Notice | undefined;
  readonly dismiss: () => void;
}

/** The notice in a corner; screen readers say it when they are done with what they say now. */
export function NoticeView({ notice, dismiss }: NoticeViewProps) {
  return (
    <div class="notices" role="status">
      {notice && (
        <p class="note">
          <span dir="auto">{notice.text}</span>
          {notice.offer && (
            <>
              <button
                type="button"
                class="primary"
                onClick={() => {
                  dismiss();
                  notice.offer?.accept();
                }}
              >
                {notice.offer.label}
              </button>
              <button type="button" onClick={dismiss}>
                No
              </button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
