import { useCallback, useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 5000;

/** Returns the sentence that is shown now, if any, and a function that shows another one for a while. */
export function useNotice() {
  const [notice, setNotice] = useState<{ readonly text: string }>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const notify = useCallback((text: string) => setNotice({ text }), []);
  return [notice?.text, notify] as const;
}

/** The notice in a corner; screen readers say it when they are done with what they say now. */
export function NoticeView({ text }: { readonly text: string | undefined }) {
  return (
    <div class="notices" role="status">
      {text !== undefined && (
        <p class="note">
          <span dir="auto">{text}</span>
        </p>
      )}
    </div>
  );
}
