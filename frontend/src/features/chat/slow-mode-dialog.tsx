import type { ChatRoom } from '@beltway/contracts/chat';
import { useMutation } from '@tanstack/react-query';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { changeRoom } from './api.ts';

/** Seconds between two messages of one person. */
const CHOICES = [
  { seconds: 0, label: 'Off' },
  { seconds: 10, label: '10 seconds' },
  { seconds: 30, label: '30 seconds' },
  { seconds: 60, label: '1 minute' },
  { seconds: 300, label: '5 minutes' },
];

interface SlowModeDialogProps {
  room: string;
  seconds: number;
  onClose: () => void;
  onChanged: (facts: ChatRoom) => void;
}

/** Chooses how often one person may write. */
export function SlowModeDialog({ room, seconds, onClose, onChanged }: SlowModeDialogProps) {
  const change = useMutation({
    mutationFn: (slowModeSeconds: number) => changeRoom(room, { slowModeSeconds }),
    onSuccess: (facts) => {
      onChanged(facts);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Slow mode"
      description="How long each person waits between two messages. Moderators do not wait."
    >
      <div className="grid gap-2">
        {CHOICES.map((choice) => (
          <Button
            key={choice.seconds}
            variant="secondary"
            aria-pressed={choice.seconds === seconds}
            pending={change.isPending && change.variables === choice.seconds}
            disabled={change.isPending}
            className="aria-pressed:border-accent-ink"
            onClick={() => change.mutate(choice.seconds)}
          >
            {choice.label}
            {choice.seconds === seconds && ' (now)'}
          </Button>
        ))}
        {change.isError && (
          <p role="alert" className="text-note text-danger-ink">
            {explain(change.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
