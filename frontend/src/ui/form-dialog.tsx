import { useId, type ComponentProps, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { texts } from './texts.en.ts';

interface FormDialogProps {
  /** From `useFields`. */
  form: { props: Pick<ComponentProps<'form'>, 'noValidate' | 'onSubmit'>; failure: unknown };
  title: string;
  /** The form's name for screen readers, if not the title. */
  label?: string;
  description?: ReactNode;
  size?: ComponentProps<typeof Dialog>['size'];
  /** The label of the submit button. `acting` is the label while the form is being sent. */
  action: string;
  acting?: string;
  variant?: 'danger' | 'primary';
  pending: boolean;
  disabled?: boolean;
  /** The label of the button that closes the dialog without sending. Default: Cancel; null: no button. */
  keep?: string | null;
  /** Called by that button instead of closing the dialog. */
  onKeep?: () => void;
  /** Shown instead of the form's failure. */
  failure?: unknown;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog whose buttons stay visible below it. */
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
