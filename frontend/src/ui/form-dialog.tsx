import { useId, type ComponentProps, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { texts } from './texts.en.ts';

interface FormDialogProps {
  /** Of `useFields`. */
  form: { props: Pick<ComponentProps<'form'>, 'noValidate' | 'onSubmit'>; failure: unknown };
  title: string;
  /** The form's name for screen readers, if it is not the title. */
  label?: string;
  description?: ReactNode;
  size?: 'normal' | 'wide';
  /** The button that sends the form; `acting` is its label while it is on its way. */
  action: string;
  acting?: string;
  variant?: 'danger' | 'primary';
  pending: boolean;
  disabled?: boolean;
  /** The button that leaves everything as it is. Without a label: Cancel; null: none. */
  keep?: string | null;
  /** What that button does, if it does not only close the dialog. */
  onKeep?: () => void;
  /** In place of the form's own failure. */
  failure?: unknown;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog, its buttons below it in sight. */
export function FormDialog({
  form,
  title,
  label = title,
  description,
  size = 'normal',
  action,
  acting = action,
  variant = 'primary',
  pending,
  disabled = false,
  keep = textsNow(texts)('cancel'),
  failure = form.failure,
  onClose,
  onKeep = onClose,
  children,
}: FormDialogProps) {
  const formId = useId();
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      size={size}
      footer={
        <>
          {keep !== null && (
            <Button variant="secondary" onClick={onKeep}>
              {keep}
            </Button>
          )}
          <Button type="submit" form={formId} variant={variant} pending={pending} disabled={disabled}>
            {pending ? acting : action}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-1">
        {children}
        <Failure of={failure} />
      </form>
    </Dialog>
  );
}
