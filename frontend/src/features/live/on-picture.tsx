import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ReactNode } from 'react';

interface OnPictureProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Shown instead of the picture. Explains why there is no picture, and what the viewer can do. */
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

/** Shown while the picture loads or the player retries. The controls below it stay usable. */
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
