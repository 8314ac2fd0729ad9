import { useCallback, useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 5000;

/** Returns the notice that is shown now, if any, and a function that shows another sentence for a while. */
export function useNotice() {
  const [notice, setNotice] = useState<{ readonly text: string; readonly sinceMs: number }>();
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const notify = useCallback((text: string) => setNotice({ text, sinceMs: performance.now() }), []);
  return [notice, notify] as const;
}

/** The notice in a corner; screen readers announce it after their present text. */
export function NoticeView({ notice }: { readonly notice: ReturnType<typeof useNotice>[0] }) {
  return (
    <div class="notices" role="status">
      {/* A new element for each: a screen reader says the same sentence again only then. */}
      {notice && (
        <p key={notice.sinceMs} class="note" dir="auto">
          {notice.text}
        </p>
      )}
    </div>
  );
}
