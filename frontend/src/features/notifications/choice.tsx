import { useId, type ComponentProps } from 'react';

/** A checkbox with its label. */
export function Choice({ label, className, ...rest }: { label: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <span className={`flex items-center gap-2.5 ${className ?? ''}`}>
      <input {...rest} id={id} type="checkbox" className="size-5 shrink-0 accent-accent" />
      <label htmlFor={id} className="min-h-11 content-center">
        {label}
      </label>
    </span>
  );
}
