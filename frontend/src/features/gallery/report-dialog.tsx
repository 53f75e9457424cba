import { ReportPhotoBody, type Photo, type PhotoReportReason } from '@beltway/contracts/media/gallery';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { reportPhoto } from './api.ts';
import { REASONS, reasonText } from './reasons.ts';
import { texts } from './texts.en.ts';

const schema = (t: TextsOf<typeof texts>) =>
  z.object({
    reason: z.enum(REASONS, t('chooseReasonFirst')),
    note: ReportPhotoBody.shape.note.unwrap(),
  });

/** Reports a photo to the admins, with a reason. */
export function ReportDialog({ photo, onClose }: { photo: Photo; onClose: () => void }) {
  const t = useTexts(texts);
  const report = useAction({
    mutationFn: ({ reason, note }: z.output<ReturnType<typeof schema>>) =>
      reportPhoto(photo.id, { reason, ...(note !== undefined && { note }) }),
    done: { title: t('reported'), description: t('reportedWhy') },
    onSuccess: () => {
      flushSync(onClose); // so that the toast belongs to the page below
    },
  });
  const form = useFields({
    schema: schema(t),
    initial: { reason: '' as PhotoReportReason, note: '' },
    onSubmit: (checked) => report.mutate(checked),
    error: report.error,
  });
  const { error, value, onChange } = form.bind('reason');
  return (
    <FormDialog
      form={form}
      title={t('reportThis')}
      description={t('reportWhy')}
      action={t('report')}
      acting={t('reporting')}
      pending={report.isPending}
      keep={null}
      onClose={onClose}
    >
      <Field label={t('whatIsWrong')} error={error}>
        <Select value={value} onChange={({ target }) => onChange(target.value as PhotoReportReason)}>
          <option value="" disabled>
            {t('chooseReason')}
          </option>
          {REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {reasonText(reason)}
            </option>
          ))}
        </Select>
      </Field>
      <TextField {...form.bind('note')} label={t('anythingToAdd')} as={Textarea} rows={2} maxLength={500} optional />
    </FormDialog>
  );
}
