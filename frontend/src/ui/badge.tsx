import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'inverse';

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent-ink',
  success: 'bg-success-soft text-success-ink',
  warning: 'bg-warning-soft text-warning-ink',
  danger: 'bg-danger-soft text-danger-ink',
  inverse: 'bg-inverse text-on-inverse',
};

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'tabular inline-flex items-center gap-1 whitespace-nowrap rounded-sm px-2 py-0.5 text-note font-strong [&_svg]:size-3.5',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
