import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { useEffect, useRef, type ReactNode } from 'react';

interface NoticeProps {
  children: ReactNode;
  /**
   * A failure counter. Each change moves the focus to the notice, because the pressed button may be disabled or
   * scrolled away.
   */
  focus?: number;
}

/** A failure and its remedy, announced to screen readers and scrolled into view. */
export function Notice({ children, focus }: NoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which must not become the effect's cleanup.
    void place.current?.scrollIntoView({ block: 'nearest' });
  }, [children]);
  useEffect(() => {
    if (focus !== undefined) place.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <div
      ref={place}
      role="alert"
      tabIndex={-1}
      className="flex scroll-mt-20 items-start gap-2 rounded-md border border-transparent bg-danger-soft px-4 py-3 text-danger-ink"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
