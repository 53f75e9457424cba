import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

/** The phone keyboard: digits, or digits and a decimal separator. */
type Digits = { inputMode: 'numeric' | 'decimal' };

/**
 * A field for a number, parsed by `@beltway/contracts/common/typed-number`. It is a text input, because `type="number"`
 * drops the comma of "12,50" and reacts to the mouse wheel.
 */
export const NumberField = (props: ComponentProps<typeof TextField> & Digits) => (
  <TextField autoComplete="off" maxLength={20} {...props} />
);
