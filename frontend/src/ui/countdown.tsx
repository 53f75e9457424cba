import { useEffect, useEffectEvent } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { useClock } from '../lib/time/clock.ts';
import { cx } from './cx.ts';
import { texts } from './texts.en.ts';

interface CountdownProps {
  /** ISO time. */
  until: string;
  onEnd?: () => void;
  className?: string;
}

/** The remaining time as "12:05", based on the server's clock. It stays correct after the tab was suspended. */
export function Countdown({ until, onEnd, className }: CountdownProps) {
  const end = Date.parse(until);
  const left = Math.max(0, Math.ceil((end - useClock([], 1_000, end).getTime()) / 1_000));
  const isOver = left === 0;
  const ended = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (isOver) ended();
  }, [until, isOver]);
  const minutes = Math.floor(left / 60);
  const clock = `${minutes}:${String(left % 60).padStart(2, '0')}`;
  const isUrgent = left <= 60;
  return (
    <>
      <span role="timer" className={cx('tabular font-strong', isUrgent && 'text-danger-ink', className)}>
        {clock}
      </span>
      {/* Announced to screen readers at 5, 2 and 1 minutes, not each second. */}
      <span className="sr-only" aria-live="polite">
        {[300, 120, 60].some((mark) => left <= mark && left > mark - 3) &&
          textsNow(texts)('minutesLeft', { count: Math.ceil(left / 60) })}
      </span>
    </>
  );
}
