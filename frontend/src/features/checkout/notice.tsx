import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';

/** What went wrong and how to go on, said at once. It comes into sight by itself: the button that caused it may be far from here. */
export function Notice({ children }: { children: ReactNode }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which must not become the effect's clean-up.
    void place.current?.scrollIntoView({ block: 'nearest' });
  }, [children]);
  return (
    <p
      ref={place}
      role="alert"
      className="flex items-start gap-2 rounded-md border border-transparent bg-danger-soft px-4 py-3 text-danger-ink"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  );
}
