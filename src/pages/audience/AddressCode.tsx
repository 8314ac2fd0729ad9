import { create } from 'qrcode';
import type { PageHello } from '../../captions/outputs/page/pageText.ts';

/** Blank modules around the code, which readers need. */
const MARGIN = 4;

const NO_CODE = 'No QR code: others cannot open this page, as its server listens on its own computer only.';

/** The page's address as a QR code and as text, or a sentence if other devices cannot open the page. */
export function AddressCode({ address, className }: Readonly<Record<'address' | 'className', string>>) {
  return (
    <figure class={`code ${className}`}>
      {!isLocal(address) && <QrCode text={address} />}
      <figcaption class="address">{isLocal(address) ? NO_CODE : address}</figcaption>
    </figure>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const dark = Array.from(data, (isDark, index) =>
    isDark ? `M${(index % size) + MARGIN} ${Math.floor(index / size) + MARGIN}h1v1h-1z` : '',
  ).join('');
  const side = size + 2 * MARGIN;
  return (
    <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={`QR code of ${text}`}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/**
 * Returns the page's address for other devices. If the page is open on the server's own computer, only the server knows that
 * address.
 */
export function addressOf(hello: PageHello | undefined): string {
  return isLocal(location.href) && hello ? hello.address : location.origin + location.pathname;
}

/** Returns whether an address leads to the same computer only. */
export function isLocal(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}
