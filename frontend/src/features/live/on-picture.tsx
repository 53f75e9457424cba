import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ReactNode } from 'react';

interface OnPictureProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Why there are no pictures and what to do, in their place. */
export const OnPicture = ({ title, children, action }: OnPictureProps) => (
  <div
    data-on-picture
    className="absolute inset-0 grid content-center justify-items-center gap-2 overflow-y-auto bg-surface p-4 text-center"
  >
    <div role="status" className="grid gap-2">
      <p className="text-title font-strong">{title}</p>
      {children && <div className="max-w-prose text-ink-soft">{children}</div>}
    </div>
    {action && <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>}
  </div>
);

/** Something comes by itself. The controls below stay in reach. */
export const Waiting = ({ words, action }: { words: string; action?: ReactNode }) => (
  <div className="pointer-events-none absolute inset-0 grid content-center justify-items-center gap-3 p-4">
    <p
      role="status"
      className="inline-flex items-center gap-2 rounded-full bg-surface px-4 py-2 text-note font-strong shadow-lift"
    >
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {words}
    </p>
    {action && <div className="pointer-events-auto">{action}</div>}
  </div>
);
