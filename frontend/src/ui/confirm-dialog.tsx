import type { ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { texts } from './texts.en.ts';

interface ConfirmDialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** The label of the button that confirms. `acting` is the label while the mutation runs. */
  action: string;
  acting?: string;
  variant?: 'danger' | 'primary';
  disabled?: boolean;
  /** The label of the button that closes the dialog without a change. Default: Cancel. */
  keep?: string;
  /** The mutation to confirm, without variables. */
  mutation: { isPending: boolean; error: unknown; mutate: () => void };
  /** Shown instead of the mutation's error. */
  failure?: unknown;
  onClose: () => void;
  /** Describes the consequences. */
  children?: ReactNode;
}

/** Asks for confirmation of an action that is hard to undo. */
export function ConfirmDialog({
  title,
  description,
  action,
  acting = action,
  variant = 'danger',
  disabled = false,
  keep = textsNow(texts)('cancel'),
  mutation,
  failure = mutation.error,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {keep}
          </Button>
          <Button variant={variant} pending={mutation.isPending} disabled={disabled} onClick={() => mutation.mutate()}>
            {mutation.isPending ? acting : action}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {children}
        <Failure of={failure} />
      </div>
    </Dialog>
  );
}
