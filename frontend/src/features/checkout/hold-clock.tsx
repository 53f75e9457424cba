import LoaderCircle from 'lucide-react/icons/loader-circle';
import Timer from 'lucide-react/icons/timer';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useState } from 'react';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';
import type { Doubt } from './purchase.ts';

interface HoldClockProps {
  until: string;
  extendable: boolean;
  extending: boolean;
  onExtend: () => void;
  onEnd: () => void;
  /** Set when the hold has lapsed according to this device's clock, but the server has not confirmed that. */
  doubt: Doubt | null;
  /** True for the strip below the summary, false for the text in the action bar. */
  isWide: boolean;
}

/** Shown in place of the clock while the hold is being requested. */
export const HoldingClock = ({ quantity, isWide }: { quantity: number; isWide: boolean }) => (
  <p
    role="status"
    className={cx(
      'flex items-center gap-2 text-accent-ink',
      isWide ? 'min-h-14 border-t border-line bg-accent-soft px-5 py-2' : 'justify-end',
    )}
  >
    <Timer aria-hidden className="size-5 shrink-0" />
    {textsNow(texts)(quantity === 1 ? 'holdingOne' : 'holdingYours')}
  </p>
);

/** The extension is offered from this many milliseconds before the end of the hold. */
const OFFER_MS = 3 * 60_000;

/** The remaining time of the hold, and the button to extend it. */
export function HoldClock({ until, extendable, extending, onExtend, onEnd, doubt, isWide }: HoldClockProps) {
  const t = useTexts(texts);
  const [first] = useState(until);
  const lateFrom = Date.parse(until) - OFFER_MS;
  const isLate = useClock([lateFrom]).getTime() >= lateFrom;
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2',
        isWide
          ? 'min-h-14 justify-between border-t border-line bg-accent-soft px-5 py-2 text-accent-ink'
          : 'justify-end text-accent-ink',
      )}
    >
      {!doubt && (
        <span className="flex items-center gap-2">
          <Timer aria-hidden className="size-5 shrink-0" />
          <span>{t.rich('heldFor', { clock: () => <Countdown until={until} onEnd={onEnd} /> })}</span>
        </span>
      )}
      <span role="status" className="flex items-center gap-2">
        {doubt === 'asking' && (
          <>
            <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin" />
            {t('checkingHold')}
          </>
        )}
        {doubt === 'no-answer' && (
          <>
            <WifiOff aria-hidden className="size-5 shrink-0" />
            {t('noAnswer')}
          </>
        )}
      </span>
      {extendable && isLate && (
        <Button variant="secondary" pending={extending} onClick={onExtend}>
          {t('moreMinutes')}
        </Button>
      )}
      <span aria-live="polite" className="sr-only">
        {until !== first && t('moreTime')}
      </span>
    </div>
  );
}
