import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { useDownload } from './api.ts';
import { DeleteDialog } from './delete-dialog.tsx';

/** All that is known of the person: to take along, and to delete. */
export function YourData() {
  const download = useDownload();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <section aria-labelledby="your-data-title" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 id="your-data-title" className="text-title">
        Your data
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 rounded-lg border border-line p-5">
        <h3 className="font-strong">Take it with you</h3>
        <p className="text-ink-soft">
          One file (JSON) with your profile, passkeys, orders and tickets, comments, likes, follows, saved searches,
          events, ads, payments, notifications and the addresses of your pictures. Orders that you made without signing
          in are not in it.
        </p>
        <Button variant="secondary" pending={download.isPending} onClick={() => download.mutate()}>
          {!download.isPending && <Download aria-hidden className="size-4" />}
          {download.isPending ? 'Making the file…' : 'Download my data'}
        </Button>
        {download.isError && (
          <p role="alert" className="text-danger-ink">
            {explain(download.error)}
          </p>
        )}
        <p role="status" className="sr-only">
          {download.isSuccess && 'Your data is downloaded.'}
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 rounded-lg border border-line p-5">
        <h3 className="font-strong">Delete your account</h3>
        <p className="text-ink-soft">
          For good, after you typed your password. Not while people have tickets for events of yours, or money of yours
          is on its way.
        </p>
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="size-4" />
          Delete my account
        </Button>
      </div>
      {isDeleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </section>
  );
}
