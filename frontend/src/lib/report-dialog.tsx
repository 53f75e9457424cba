import { MAX_REPORT_NOTE, ReportBody, type ReportReason } from '@beltway/contracts/comments';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { z } from 'zod';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Textarea, TextField } from '../ui/field.tsx';
import { useFields } from './form.ts';
import { explain } from './http.ts';
import { REASONS } from './report-reasons.ts';

const Schema = z.object({
  reason: z.enum(Object.keys(REASONS) as ReportReason[], 'Please choose a reason'),
  note: z.union([z.literal('').transform(() => undefined), ReportBody.shape.note.unwrap()]),
});

interface ReportDialogProps {
  /** What is reported: 'comment', 'message'. */
  what: string;
  send: (body: ReportBody) => Promise<unknown>;
  onClose: () => void;
  onReported: () => void;
}

/** Tells the moderators of what somebody wrote, and why. */
export function ReportDialog({ what, send, onClose, onReported }: ReportDialogProps) {
  const id = useId();
  const report = useMutation({
    mutationFn: ({ reason, note }: z.output<typeof Schema>) => send({ reason, ...(note !== undefined && { note }) }),
    onSuccess: onReported,
  });
  const form = useFields({
    schema: Schema,
    initial: { reason: '' as ReportReason, note: '' },
    onSubmit: (checked) => report.mutate(checked),
    error: report.error,
  });
  const { error, value, onChange } = form.bind('reason');
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Report this ${what}`}
      description="The organiser and the people of Beltway look at it. Nobody is told that it was you."
    >
      <form {...form.props} aria-label={`Report this ${what}`} className="grid gap-4">
        <fieldset className="grid gap-1" aria-describedby={error && `${id}-error`}>
          <legend className="mb-1 text-note font-strong">What is wrong with it?</legend>
          {Object.entries(REASONS).map(([reason, label], at) => (
            <label key={reason} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="reason"
                value={reason}
                checked={value === reason}
                aria-invalid={(at === 0 && error !== undefined) || undefined}
                onChange={() => onChange(reason as ReportReason)}
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
          label="Anything to add?"
          as={Textarea}
          rows={2}
          maxLength={MAX_REPORT_NOTE}
          optional
        />
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
