import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useDownload } from './api.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { texts } from './texts.en.ts';

/** Lets the user download all their data or delete the account. */
export function YourData() {
  const t = useTexts(texts);
  const download = useDownload();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <section aria-labelledby="your-data-title" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 id="your-data-title" className="text-title">
        {t('yourData')}
      </h2>
      <Card as="div" ground="none" className="justify-items-start gap-3">
        <h3 className="font-strong">{t('take')}</h3>
        <p className="text-ink-soft">{t('takeWhy')}</p>
        <Button variant="secondary" pending={download.isPending} onClick={() => download.mutate()}>
          {!download.isPending && <Download aria-hidden className="size-4" />}
          {t(download.isPending ? 'making' : 'download')}
        </Button>
        <Failure of={download.error} />
        <p role="status" className="sr-only">
          {download.isSuccess && t('downloaded')}
        </p>
      </Card>
      <Card as="div" ground="none" className="justify-items-start gap-3">
        <h3 className="font-strong">{t('deleteYours')}</h3>
        <p className="text-ink-soft">{t('deleteWhy')}</p>
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="size-4" />
          {t('deleteMine')}
        </Button>
      </Card>
      {isDeleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </section>
  );
}
