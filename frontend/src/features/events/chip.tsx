import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

interface ChipProps {
  pressed: boolean;
  onPress: (pressed: boolean) => void;
  children: ReactNode;
}

export const chipClass = (pressed: boolean) =>
  cx(
    'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full border px-3.5 font-strong whitespace-nowrap transition-colors duration-(--duration-fast)',
    pressed ? 'border-transparent bg-inverse text-on-inverse' : 'border-edge/70 bg-surface hover:border-ink',
  );

/** A filter button, pressed while the filter applies. */
export const Chip = ({ pressed, onPress, children }: ChipProps) => (
  <button type="button" aria-pressed={pressed} onClick={() => onPress(!pressed)} className={chipClass(pressed)}>
    {children}
    {pressed && <X aria-hidden className="-me-1 size-4" />}
  </button>
);
