import type { ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { texts } from './texts.en.ts';

interface ConfirmDialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** The button that does it; `acting` is its label while it is under way. */
  action: string;
  acting?: string;
  variant?: 'danger' | 'primary';
  disabled?: boolean;
  /** The button that leaves everything as it is. Without a label: Cancel. */
  keep?: string;
  /** What is confirmed: a mutation without variables. */
  mutation: { isPending: boolean; error: unknown; mutate: () => void };
  /** In place of the mutation's own error. */
  failure?: unknown;
  onClose: () => void;
  /** What follows from it. */
  children?: ReactNode;
}

/** Asks before something that is not easily undone. */
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
