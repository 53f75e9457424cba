import { Timer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';

interface HoldClockProps {
  until: string;
  extendable: boolean;
  extending: boolean;
  onExtend: () => void;
  onEnd: () => void;
}

/** The extension is offered when it is of use. */
const OFFER_MS = 3 * 60_000;

/** How long the tickets are held, and ten more minutes, once. */
export function HoldClock({ until, extendable, extending, onExtend, onEnd }: HoldClockProps) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const left = Date.parse(until) - Date.now() - OFFER_MS;
    setLate(left <= 0);
    const timer = setTimeout(() => setLate(true), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-t border-line bg-accent-soft px-5 py-2 text-accent-ink">
      <span className="flex items-center gap-2">
        <Timer aria-hidden className="size-5 shrink-0" />
        <span>
          Held for you: <Countdown until={until} onEnd={onEnd} />
        </span>
      </span>
      {extendable && isLate && (
        <Button variant="secondary" pending={extending} onClick={onExtend}>
          10 more minutes
        </Button>
      )}
    </div>
  );
}
