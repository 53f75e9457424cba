import type { Photo } from '@beltway/contracts/media/gallery';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { deletePhoto, useRefreshGallery } from './api.ts';
import { texts } from './texts.ts';

interface DeleteDialogProps {
  photo: Photo;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before one's own photo is deleted: it does not come back. */
export function DeleteDialog({ photo, onClose, onDeleted }: DeleteDialogProps) {
  const t = useTexts(texts);
  const refresh = useRefreshGallery();
  const remove = useMutation({
    mutationFn: () => deletePhoto(photo.id),
    onSuccess: () => {
      onDeleted();
      toast({ title: t('deleted'), at: window.location.pathname });
      return refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('deleteTitle')}
      description={t('deleteWhy')}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('keepIt')}
          </Button>
          <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? t('deleting') : t('deletePhoto')}
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
