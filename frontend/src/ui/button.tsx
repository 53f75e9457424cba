import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ComponentProps } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { cx } from './cx.ts';

/** `primary` is for the next step, once per view. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-ink border-edge hover:border-ink hover:bg-raised',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-ink/8',
  danger: 'bg-danger text-on-danger border-transparent hover:opacity-90',
};

export const buttonClass = (variant: ButtonVariant = 'primary', className?: string): string =>
  cx(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-full border px-5 py-2 text-center text-body font-strong print:hidden',
    'transition-[background-color,border-color,transform,opacity] duration-(--duration-fast) active:scale-[0.98]',
    'disabled:pointer-events-none disabled:border-transparent disabled:bg-ink/10 disabled:text-ink-soft',
    variants[variant],
    className,
  );

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** Shows a spinner and ignores presses; the label should name the running action. */
  pending?: boolean;
}

export function Button({ variant = 'primary', pending = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={buttonClass(variant, className)}
    >
      {pending && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'primary', className, ...rest }: LinkProps & { variant?: ButtonVariant }) {
  return <Link {...rest} className={buttonClass(variant, className)} />;
}

export interface IconButtonProps extends ComponentProps<'button'> {
  /** The action, for screen readers. */
  label: string;
}

export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-(--duration-fast)',
        'hover:bg-ink/8 disabled:pointer-events-none disabled:text-ink-soft disabled:opacity-60 [&_svg]:size-5',
        className,
      )}
    />
  );
}
