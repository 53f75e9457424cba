import { encode } from 'uqr';

/** The signed text of a ticket as a QR code: dark on white in both themes, because scanners require it. */
export function Qr({ text, label, className }: { text: string; label: string; className?: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      data-code
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} className="fill-qr-paper" />
      <path d={path} className="fill-qr-ink" />
    </svg>
  );
}
