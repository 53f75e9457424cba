import { MAX_REPORT_NOTE, ReportBody, type ReportReason } from '@beltway/contracts/realtime/comments';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { z } from 'zod';
import { Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { useFields } from '../forms/form.ts';
import { texts } from './texts.en.ts';

/** The reasons for reporting a comment or a message. */
const REASONS = ['spam', 'abuse', 'privacy', 'other'] as const satisfies readonly ReportReason[];

const Note = ReportBody.shape.note.unwrap();

interface ReportProps<Reason extends string> {
  /** "Report this comment" */
  title: string;
  /** The choices with their labels. */
  reasons: Record<Reason, string>;
  /** Who reviews the report. */
  readers?: string;
  send: (body: { reason: Reason; note?: string }) => Promise<unknown>;
  onClose: () => void;
  onReported: () => void;
}

/** Reports a person's photo or video to the moderators, with a reason. */
export function ReportWithReasons<Reason extends string>({
  title,
  reasons,
  readers,
  send,
  onClose,
  onReported,
}: ReportProps<Reason>) {
  const t = useTexts(texts);
  const id = useId();
  const report = useMutation({
    mutationFn: send,
    onSuccess: onReported,
  });
  const form = useFields({
    schema: z.object({ reason: z.enum(Object.keys(reasons) as Reason[], t('chooseReason')), note: Note }),
    initial: { reason: '' as Reason, note: '' },
    onSubmit: ({ reason, note }) => report.mutate({ reason: reason as Reason, ...(note !== undefined && { note }) }),
    error: report.error,
  });
  const { error, value, onChange } = form.bind('reason');
  return (
    <FormDialog
      form={form}
      title={title}
      description={t('nobodyTold', { readers: readers ?? t('readers') })}
      action={t('report')}
      acting={t('reporting')}
      pending={report.isPending}
      keep={null}
      onClose={onClose}
    >
      <fieldset className="grid gap-1" aria-describedby={error && `${id}-error`}>
        <legend className="mb-1 text-note font-strong">{t('whatIsWrong')}</legend>
        {Object.entries<string>(reasons).map(([reason, label], at) => (
          <label key={reason} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={value === reason}
              aria-invalid={(at === 0 && error !== undefined) || undefined}
              onChange={() => onChange(reason as Reason)}
              className="size-5 accent-accent"
            />
            {label}
          </label>
        ))}
        {error && (
          <p id={`${id}-error`} className="text-note text-danger-ink">
            {error}
          </p>
        )}
      </fieldset>
      <TextField
        {...form.bind('note')}
        label={t('anythingToAdd')}
        as={Textarea}
        rows={2}
        maxLength={MAX_REPORT_NOTE}
        optional
      />
    </FormDialog>
  );
}

/** Reports a person's text to the moderators, with a reason. */
export function ReportDialog(props: Omit<ReportProps<ReportReason>, 'reasons'>) {
  const t = useTexts(texts);
  const reasons = Object.fromEntries(REASONS.map((reason) => [reason, t(reason)])) as Record<ReportReason, string>;
  return <ReportWithReasons reasons={reasons} {...props} />;
}
