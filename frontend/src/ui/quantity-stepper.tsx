import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { textsNow } from '../lib/catalogue.ts';
import { IconButton } from './button.tsx';
import { texts } from './texts.ts';

interface QuantityStepperProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
}

/** A whole number between two bounds, by buttons or typed; what is typed is clamped. */
export function QuantityStepper({ label, value, min = 1, max, onChange, disabled = false }: QuantityStepperProps) {
  const t = textsNow(texts);
  const [typed, setTyped] = useState<string | null>(null);
  const clamp = (wanted: number) => Math.min(Math.max(wanted, min), Math.max(max, min));
  const settle = () => {
    const wanted = Number(typed);
    if (typed && Number.isFinite(wanted)) onChange(clamp(Math.round(wanted)));
    setTyped(null);
  };
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex items-center rounded-full border border-edge bg-surface"
    >
      <IconButton label={t('oneLess')} disabled={disabled || value <= min} onClick={() => onChange(clamp(value - 1))}>
        <Minus aria-hidden />
      </IconButton>
      <input
        aria-label={label}
        inputMode="numeric"
        disabled={disabled}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle();
          if (event.key === 'ArrowUp') onChange(clamp(value + 1));
          if (event.key === 'ArrowDown') onChange(clamp(value - 1));
        }}
        className="tabular h-11 w-10 rounded-sm bg-transparent text-center text-title font-strong"
      />
      <IconButton label={t('oneMore')} disabled={disabled || value >= max} onClick={() => onChange(clamp(value + 1))}>
        <Plus aria-hidden />
      </IconButton>
    </div>
  );
}
