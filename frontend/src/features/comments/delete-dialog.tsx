import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './texts.en.ts';

interface DeleteDialogProps {
  onClose: () => void;
  onDelete: () => void;
}

/** Asks before words are erased. */
export function DeleteDialog({ onClose, onDelete }: DeleteDialogProps) {
  const t = useTexts(texts);
  return (
    <Dialog
      onClose={onClose}
      title={t('deleteYours')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keepIt')}
          </Button>
          <Button variant="danger" onClick={onDelete}>
            {t('delete')}
          </Button>
        </>
      }
    >
      <p>{t('deleteWhy')}</p>
    </Dialog>
  );
}
