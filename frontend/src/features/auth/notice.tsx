import Hourglass from 'lucide-react/icons/hourglass';
import type { ReactNode } from 'react';

/** A warning in a form; screen readers announce it. */
export const Notice = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="flex items-start gap-2.5 rounded-md bg-warning-soft p-3.5 text-note text-warning-ink">
    <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0" />
    {children}
  </p>
);
