import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

/** What phones show to type it with: digits, or digits and a decimal separator. */
type Digits = { inputMode: 'numeric' | 'decimal' };

/**
 * A number to type, read by `@beltway/contracts/common/typed-number`. Text, because `type="number"` drops the comma of "12,50" and changes
 * with the mouse wheel.
 */
export const NumberField = (props: ComponentProps<typeof TextField> & Digits) => (
  <TextField autoComplete="off" maxLength={20} {...props} />
);
