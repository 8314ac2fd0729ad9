import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../Button.tsx';
import { Dialog } from '../../Dialog.tsx';
import { bannerOf } from './banner.ts';
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
        {banner?.action && banner.action !== 'resolve' && <Button onClick={copy}>Copy the text</Button>}
        {banner?.action === 'resolve' && <Button onClick={() => setResolving(true)}>Choose</Button>}
      </div>
      {isResolving && view.save.type === 'conflict' && (
        <ConflictDialog work={work} notify={notify} onClose={() => setResolving(false)} />
      )}
    </>
  );
}

function ConflictDialog({
  work,
  notify,
  onClose,
}: Omit<BannerViewProps, 'view'> & { readonly onClose: () => void }) {
  const resolve = (choice: 'ours' | 'theirs') => {
    work.saver.resolve(choice).then(onClose, (error: Error) => notify(error.message));
  };
  return (
    <Dialog title="Two texts of this job" onClose={onClose}>
      <p>
        Another window, or another person, has saved a later text than the one this window began with. If you
        take the saved text, Undo brings yours back. If you keep yours, it replaces the saved one.
      </p>
      <footer>
        <Button onClick={() => resolve('theirs')}>Take the saved text</Button>
        <Button class="primary" onClick={() => resolve('ours')}>
          Keep the text of this window
        </Button>
      </footer>
    </Dialog>
  );
}
