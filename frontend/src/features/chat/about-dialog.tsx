import { ChatRoomBody, RoomDescription, type ChatRoom } from '@beltway/contracts/realtime/chat';
import { optionalField } from '@beltway/contracts/common/basics';
import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { changeRoom } from './api.ts';
import { texts } from './texts.ts';

const { shape } = ChatRoomBody;
/** Nothing in the field takes the description away. */
const AboutSchema = z.object({ name: shape.name.unwrap(), description: optionalField(RoomDescription).unwrap() });

interface AboutDialogProps {
  facts: ChatRoom;
  onClose: () => void;
  onChanged: (facts: ChatRoom) => void;
}

/** Gives the room a name and a description. What is not changed is not sent: a room without a name of its own has its event's. */
export function AboutDialog({ facts, onClose, onChanged }: AboutDialogProps) {
  const t = useTexts(texts);
  const change = useMutation({
    mutationFn: ({ name, description }: z.output<typeof AboutSchema>) =>
      changeRoom(facts.room, {
        ...(name !== facts.name && { name }),
        ...((description ?? '') !== facts.description && { description: description ?? null }),
      }),
    onSuccess: (changed) => {
      onChanged(changed);
      onClose();
    },
  });
  const form = useFields({
    schema: AboutSchema,
    initial: { name: facts.name, description: facts.description },
    onSubmit: (typed) => change.mutate(typed),
    error: change.error,
  });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={t('nameAndDescription')}>
      <form {...form.props} aria-label={t('nameAndDescription')} className="grid gap-4">
        <TextField {...form.bind('name')} label={t('name')} />
        <TextField {...form.bind('description')} label={t('description')} as={Textarea} rows={3} optional />
        {form.failure && (
          <p role="alert" className="text-note text-danger-ink">
            {explain(form.failure)}
          </p>
        )}
        <Button type="submit" pending={change.isPending} className="justify-self-end">
          {t('save')}
        </Button>
      </form>
    </Dialog>
  );
}
