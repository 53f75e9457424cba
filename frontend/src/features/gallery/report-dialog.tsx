import { ReportPhotoBody, type Photo, type PhotoReportReason } from '@beltway/contracts/gallery';
import { useMutation } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { reportPhoto } from './api.ts';
import { REASONS } from './reasons.ts';

const Schema = z.object({
  reason: z.enum(Object.keys(REASONS) as PhotoReportReason[], 'Please choose a reason'),
  note: z.union([z.literal('').transform(() => undefined), ReportPhotoBody.shape.note.unwrap()]),
});

/** Tells admins of a photo, and why. */
export function ReportDialog({ photo, onClose }: { photo: Photo; onClose: () => void }) {
  const report = useMutation({
    mutationFn: ({ reason, note }: z.output<typeof Schema>) =>
      reportPhoto(photo.id, { reason, ...(note !== undefined && { note }) }),
    onSuccess: () => {
      flushSync(onClose); // so that the toast belongs to what is below
      toast({ title: 'Photo reported', description: 'Thank you. We look at it.' });
    },
  });
  const form = useFields({
    schema: Schema,
    initial: { reason: '' as PhotoReportReason, note: '' },
    onSubmit: (checked) => report.mutate(checked),
    error: report.error,
  });
  const { error, value, onChange } = form.bind('reason');
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Report this photo"
      description="The people of Beltway look at it. Nobody is told that it was you."
    >
      <form {...form.props} aria-label="Report this photo" className="grid gap-4">
        <Field label="What is wrong with it?" error={error}>
          <Select value={value} onChange={({ target }) => onChange(target.value as PhotoReportReason)}>
            <option value="" disabled>
              Choose a reason
            </option>
            {Object.entries(REASONS).map(([reason, label]) => (
              <option key={reason} value={reason}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <TextField {...form.bind('note')} label="Anything to add?" as={Textarea} rows={2} maxLength={500} optional />
        {form.failure && (
          <p role="alert" className="text-note text-danger-ink">
            {explain(form.failure)}
          </p>
        )}
        <Button type="submit" pending={report.isPending} className="justify-self-end">
          {report.isPending ? 'Reporting…' : 'Report'}
        </Button>
      </form>
    </Dialog>
  );
}
