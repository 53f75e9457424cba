import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface DeleteDialogProps {
  onClose: () => void;
  onDelete: () => void;
}

/** Asks before words are erased. */
export const DeleteDialog = ({ onClose, onDelete }: DeleteDialogProps) => (
  <Dialog
    open
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title="Delete your comment?"
    footer={
      <>
        <Button variant="secondary" onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" onClick={onDelete}>
          Delete
        </Button>
      </>
    }
  >
    <p>Your words are erased. Answers to them stay.</p>
  </Dialog>
);
