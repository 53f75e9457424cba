import type { Photo } from '@beltway/contracts/media/gallery';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { deletePhoto, useRefreshGallery } from './api.ts';
import { texts } from './texts.en.ts';

interface DeleteDialogProps {
  photo: Photo;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks for confirmation before the user deletes their own photo, which cannot be undone. */
export function DeleteDialog({ photo, onClose, onDeleted }: DeleteDialogProps) {
  const t = useTexts(texts);
  const refresh = useRefreshGallery();
  const remove = useAction({
    mutationFn: () => deletePhoto(photo.id),
    onSuccess: () => {
      onDeleted();
      return refresh();
    },
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      description={t('deleteWhy')}
      action={t('deletePhoto')}
      acting={t('deleting')}
      keep={t('keepIt')}
      mutation={remove}
      onClose={onClose}
    />
  );
}
