import { wholeNumber } from '@beltway/contracts/common/typed-number';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { useId, useState } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { IconButton } from './button.tsx';
import { FieldError } from './field.tsx';
import { texts } from './texts.en.ts';

interface QuantityStepperProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
  /**
   * Called with true when the input is not a whole number, and with false when the input is valid again. `value` does
   * not change until the input is corrected.
   */
  onWrong?: (isWrong: boolean) => void;
  disabled?: boolean;
}

/**
 * Input for a whole number between two bounds, by buttons or typing. A typed number is clamped; other text is an error.
 */
export function QuantityStepper(props: QuantityStepperProps) {
  const { label, value, min = 1, max, onChange, onWrong, disabled = false } = props;
  const t = textsNow(texts);
  const errorId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const most = Math.max(max, min);
  const markWrong = (wrong: boolean) => {
    setWrong(wrong);
    onWrong?.(wrong);
  };
  const choose = (wanted: number) => {
    markWrong(false);
    setTyped(null);
    onChange(Math.min(Math.max(wanted, min), most));
  };
  const settle = () => {
    if (typed === null) return;
    const wanted = typed.trim() === '' ? value : wholeNumber(typed);
    if (wanted === null) markWrong(true);
    else choose(wanted);
  };
  return (
    <div className="grid justify-items-end gap-1.5">
      <div
        role="group"
        aria-label={label}
        className="inline-flex items-center rounded-full border border-edge bg-surface"
      >
        <IconButton label={t('oneLess')} disabled={disabled || value <= min} onClick={() => choose(value - 1)}>
          <Minus aria-hidden />
        </IconButton>
        <input
          aria-label={label}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? errorId : undefined}
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          disabled={disabled}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle();
            if (event.key === 'ArrowUp') choose(value + 1);
            if (event.key === 'ArrowDown') choose(value - 1);
          }}
          className="tabular h-11 w-10 rounded-sm bg-transparent text-center text-title font-strong"
        />
        <IconButton label={t('oneMore')} disabled={disabled || value >= max} onClick={() => choose(value + 1)}>
          <Plus aria-hidden />
        </IconButton>
      </div>
      {isWrong && <FieldError id={errorId}>{t('wholeNumber', { min: String(min), max: String(most) })}</FieldError>}
    </div>
  );
}
