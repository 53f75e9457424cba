import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import * as RadixSwitch from '@radix-ui/react-switch';
import { createContext, useContext, useId, type ComponentProps, type ElementType, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { cx } from './cx.ts';
import { texts } from './texts.en.ts';

interface FieldParts {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}
const FieldContext = createContext<FieldParts | null>(null);

interface FieldProps {
  label: ReactNode;
  /** Shown below the field until an error replaces it. */
  hint?: ReactNode;
  /** What is wrong and how to correct it. */
  error?: string | null | undefined;
  optional?: boolean;
  className?: string;
  children: ReactNode;
}

/** Label, control and messages, connected by ids for screen readers. */
export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div data-field className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-3 text-note font-strong">
        {label}
        {optional && <span className="font-regular text-ink-soft">{textsNow(texts)('optional')}</span>}
      </label>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${id}-hint`} className="text-note text-ink-soft">
          {hint}
        </div>
      )}
    </div>
  );
}

/** A control's error message, referenced by its `aria-describedby`. */
export const FieldError = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={id} className="flex items-start gap-1.5 text-note text-danger-ink">
    <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    {children}
  </p>
);

/**
 * Focuses and scrolls to the first invalid field. Retries for a few frames, until React has marked the field as
 * invalid.
 */
export function focusFirstError(form: HTMLElement | null, frames = 10): void {
  requestAnimationFrame(() => {
    const control = form?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"][tabindex]');
    if (!control) return frames > 0 ? focusFirstError(form, frames - 1) : undefined;
    control.focus({ preventScroll: true });
    (control.closest('[data-field]') ?? control).scrollIntoView({ block: 'center' });
  });
}

/** The attributes that a control inside a Field needs. For custom controls. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
    : {};
}

export const controlClass = cx(
  'block w-full min-h-11 rounded-md border border-edge bg-surface px-3.5 py-2 text-body text-ink placeholder:text-ink-soft',
  'transition-colors duration-(--duration-fast) hover:border-ink-soft aria-invalid:border-danger-ink',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft',
);

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} {...rest} className={cx(controlClass, className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={4} {...useFieldProps()} {...rest} className={cx(controlClass, className)} />;
}

interface TextFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, 'className' | 'children' | 'value' | 'onChange'> {
  value: string;
  onChange: (text: string) => void;
  /** The control, such as `Textarea` or `PasswordInput`. Default: `Input`. */
  as?: ElementType;
  /** For a `Textarea`. */
  rows?: number;
}

/** A field for text input. */
export function TextField({
  label,
  hint,
  error,
  optional = false,
  as: Control = Input,
  onChange,
  ...rest
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, optional }}>
      <Control {...rest} onChange={(typed: { target: { value: string } }) => onChange(typed.target.value)} />
    </Field>
  );
}

/** The browser's native select, which phones show as a picker. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...useFieldProps()} {...rest} className={cx(controlClass, 'pe-8', className)} />;
}

interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Switch({ label, hint, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-body font-strong">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-note text-ink-soft">
            {hint}
          </p>
        )}
      </div>
      <RadixSwitch.Root
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        className="relative h-7 w-12 shrink-0 rounded-full border border-edge bg-sunken transition-colors duration-(--duration-fast) before:absolute before:-inset-2 data-[state=checked]:border-transparent data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-5 translate-x-1 rtl:-translate-x-1 rounded-full bg-ink transition-transform duration-(--duration-fast) data-[state=checked]:translate-x-6 rtl:data-[state=checked]:-translate-x-6 data-[state=checked]:bg-on-accent" />
      </RadixSwitch.Root>
    </div>
  );
}
