import type { Photo } from '@beltway/contracts/gallery';
import { useMutation } from '@tanstack/react-query';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { deletePhoto, useRefreshGallery } from './api.ts';

interface DeleteDialogProps {
  photo: Photo;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before one's own photo is deleted: it does not come back. */
export function DeleteDialog({ photo, onClose, onDeleted }: DeleteDialogProps) {
  const refresh = useRefreshGallery();
  const remove = useMutation({
    mutationFn: () => deletePhoto(photo.id),
    onSuccess: () => {
      onDeleted();
      toast({ title: 'Photo deleted', at: window.location.pathname });
      return refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete this photo?"
      description="It leaves the gallery with its likes, and does not come back."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Deleting…' : 'Delete photo'}
          </Button>
        </>
      }
    >
      {remove.error && (
        <p role="alert" className="text-note text-danger-ink">
          {explain(remove.error)}
        </p>
      )}
    </Dialog>
  );
}
