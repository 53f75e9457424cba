import { MAX_REPORT_NOTE, ReportBody, type Comment, type ReportReason } from '@beltway/contracts/comments';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { reportComment } from './api.ts';
import { REASONS } from './reasons.ts';

const Schema = z.object({
  reason: z.enum(Object.keys(REASONS) as ReportReason[], 'Please choose a reason'),
  note: z.union([z.literal('').transform(() => undefined), ReportBody.shape.note.unwrap()]),
});

interface ReportDialogProps {
  comment: Comment;
  onClose: () => void;
  onReported: () => void;
}

/** Tells the moderators of a comment, and why. */
export function ReportDialog({ comment, onClose, onReported }: ReportDialogProps) {
  const id = useId();
  const report = useMutation({
    mutationFn: ({ reason, note }: z.output<typeof Schema>) =>
      reportComment(comment.id, { reason, ...(note !== undefined && { note }) }),
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
      title="Report this comment"
      description="The organiser and the people of Beltway look at it. Nobody is told that it was you."
    >
      <form {...form.props} aria-label="Report this comment" className="grid gap-4">
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
