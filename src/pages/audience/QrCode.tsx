import { create } from 'qrcode';

/** Blank modules around the code, which readers need. */
const MARGIN = 4;

/** A QR code as a picture. */
export function QrCode({ text }: { readonly text: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const dark = Array.from(data, (isDark, index) =>
    isDark ? `M${(index % size) + MARGIN} ${Math.floor(index / size) + MARGIN}h1v1h-1z` : '',
  ).join('');
  const side = size + 2 * MARGIN;
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={`QR code of ${text}`}>
      <rect width={side} height={side} fill="#fff" />
      <path d={dark} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
