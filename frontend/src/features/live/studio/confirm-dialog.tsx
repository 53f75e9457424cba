import type { ReactNode } from 'react';
import { explain } from '../../../lib/http/http.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What follows. */
  children: ReactNode;
  /** What the button does, and what it says while it is done. */
  action: string;
  pending: string | null;
  error: unknown;
  keep: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that viewers notice. */
export const ConfirmDialog = ({
  title,
  children,
  action,
  pending,
  error,
  keep,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  <Dialog
    open
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={title}
    footer={
      <>
        <Button variant="secondary" onClick={onClose}>
          {keep}
        </Button>
        <Button variant="danger" pending={pending !== null} onClick={onConfirm}>
          {pending ?? action}
        </Button>
      </>
    }
  >
    <p>{children}</p>
    {error !== null && (
      <p role="alert" className="mt-3 text-danger-ink">
        {explain(error)}
      </p>
    )}
  </Dialog>
);
