import { ChatRoomBody, RoomDescription, type ChatRoom } from '@beltway/contracts/realtime/chat';
import { optionalField } from '@beltway/contracts/common/basics';
import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { changeRoom } from './api.ts';
import { texts } from './texts.en.ts';

const { shape } = ChatRoomBody;
/** An empty field removes the description. */
const AboutSchema = z.object({ name: shape.name.unwrap(), description: optionalField(RoomDescription).unwrap() });

interface AboutDialogProps {
  facts: ChatRoom;
  onClose: () => void;
  onChanged: (facts: ChatRoom) => void;
}

/**
 * Gives the room a name and a description. Sends only changed fields, so that an unnamed room keeps using its event's
 * name.
 */
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
    <FormDialog
      form={form}
      title={t('nameAndDescription')}
      action={t('save')}
      pending={change.isPending}
      keep={null}
      onClose={onClose}
    >
      <TextField {...form.bind('name')} label={t('name')} />
      <TextField {...form.bind('description')} label={t('description')} as={Textarea} rows={3} optional />
    </FormDialog>
  );
}
