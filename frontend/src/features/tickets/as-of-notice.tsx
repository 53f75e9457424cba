import { RotateCw } from 'lucide-react';
import { formatMoment } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';

interface AsOfNoticeProps {
  /** When the server told these tickets, in milliseconds. */
  asOf: number;
  onRetry: () => void;
  retrying: boolean;
}

/** Says how old the tickets below are, when Beltway could not be asked. */
export const AsOfNotice = ({ asOf, onRetry, retrying }: AsOfNoticeProps) => (
  <section
    aria-label="How old this is"
    className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border border-line bg-sunken px-4 py-3"
  >
    <p role="status" className="max-w-prose text-note">
      <b className="block font-strong tabular">As of {formatMoment(new Date(asOf))}</b>
      <span className="text-ink-soft">
        Beltway cannot be reached. Your codes work all the same; refunds, cancellations and check-ins since then are not
        shown.
      </span>
    </p>
    <Button variant="secondary" onClick={onRetry} pending={retrying}>
      {!retrying && <RotateCw aria-hidden className="size-4" />}
      Retry
    </Button>
  </section>
);
