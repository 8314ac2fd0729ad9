import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import { bannerOf } from './banner.ts';
import { KeptDialog, MergeDialog } from './MergeDialog.tsx';
import type { Work, WorkView } from './startWork.ts';

export interface BannerViewProps {
  readonly work: Work;
  readonly view: WorkView;
  readonly notify: (text: string) => void;
}

/** The message on the state of the work, with its buttons. */
export function BannerView({ work, view, notify }: BannerViewProps) {
  const [isResolving, setResolving] = useState(false);
  const banner = bannerOf(view);
  const close = () => setResolving(false);
  const wasShown = useRef(false);
  useEffect(() => {
    if (wasShown.current && !banner) notify('The problem is over.');
    wasShown.current = banner !== undefined;
  }, [banner?.text]);
  const claim = async () => {
    const state = await work.claim.askNow();
    notify(state === 'held' ? 'The job is yours again.' : 'The job is still with another person.');
  };
  const copy = async () => {
    const text = work.editor.turns().map(turn => turn.text);
    const isCopied = await navigator.clipboard?.writeText(text.join('\n')).then(
      () => true,
      () => false,
    );
    notify(
      isCopied
        ? 'The text is in the clipboard.'
        : 'The browser does not allow to copy: select the text instead.',
    );
  };
  return (
    <>
      <div class="banner" data-kind={banner?.kind} role="alert">
        {banner && <p>{banner.text}</p>}
        {banner?.action === 'claim' && <Button onClick={claim}>Claim again</Button>}
        {(banner?.action === 'claim' || banner?.action === 'copy') && (
          <Button onClick={copy}>Copy the text</Button>
        )}
        {banner?.action === 'merge' && <Button onClick={() => setResolving(true)}>Merge</Button>}
        {banner?.action === 'kept' && <Button onClick={() => setResolving(true)}>Show</Button>}
      </div>
      {isResolving && view.save.type === 'conflict' && (
        <MergeDialog {...view.save} merge={choices => work.saver.merge(choices)} onClose={close} />
      )}
      {isResolving && view.save.type === 'kept' && (
        <KeptDialog
          kept={view.save.kept}
          end={isInserted => {
            work.saver.endKept(isInserted);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
