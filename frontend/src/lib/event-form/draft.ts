import { useEffect, useEffectEvent } from 'react';
import { z, type ZodType } from 'zod';
import { drafts } from '../storage/drafts.ts';

/** A stored draft: a form with a picture, and further data. */
interface WithPicture {
  form: { imageUrl: string };
}

export interface EventDraft<Value extends WithPicture> {
  /** `lostPhoto`: the photo did not fit into the browser's storage. */
  read(userId: number): (Value & { lostPhoto: boolean }) | null;
  write(userId: number, value: Value): void;
  /** Call when the picture changes. Stores only a photo; a URL is stored with the form. */
  writePhoto(userId: number, imageUrl: string): void;
  drop(): void;
}

const isPhoto = (imageUrl: string) => imageUrl.startsWith('data:');

/**
 * A draft in `lib/storage/drafts.ts`. A device photo is stored separately, because it can be too large to write on
 * every keystroke.
 */
export function eventDraft<Value extends WithPicture>(name: string, schema: ZodType<Value>): EventDraft<Value> {
  const PHOTO = `${name}-photo`;
  const Kept = z.object({ value: schema, hasPhoto: z.boolean() });
  return {
    read(userId) {
      const kept = drafts.read(name, userId, Kept);
      if (!kept) return null;
      const { value, hasPhoto } = kept;
      const photo = hasPhoto ? drafts.read(PHOTO, userId, z.string()) : null;
      const form = { ...value.form, imageUrl: photo ?? value.form.imageUrl };
      return { ...value, form, lostPhoto: hasPhoto && photo === null };
    },
    write(userId, value) {
      const hasPhoto = isPhoto(value.form.imageUrl);
      const kept = hasPhoto ? { ...value, form: { ...value.form, imageUrl: '' } } : value;
      const write = () => drafts.write(name, userId, { value: kept, hasPhoto });
      if (write() || !hasPhoto) return;
      // The storage is full: drops the photo, which is easy to choose again, and keeps the text.
      drafts.drop(PHOTO);
      write();
    },
    writePhoto(userId, imageUrl) {
      if (isPhoto(imageUrl)) drafts.write(PHOTO, userId, imageUrl);
      else drafts.drop(PHOTO);
    },
    drop() {
      drafts.drop(name);
      drafts.drop(PHOTO);
    },
  };
}

/** Saves the signed-in user's draft while typing; drops an empty one. */
export function useKeptDraft<Value extends WithPicture>(
  draft: EventDraft<Value>,
  userId: number | undefined,
  value: Value,
  isEmpty: boolean,
): void {
  const { form } = value;
  const write = useEffectEvent((id: number) => draft.write(id, value));
  useEffect(() => {
    if (userId === undefined) return;
    if (isEmpty) draft.drop();
    else write(userId);
  }, [userId, draft, form, isEmpty]);
  useEffect(() => {
    if (userId !== undefined) draft.writePhoto(userId, form.imageUrl);
  }, [userId, draft, form.imageUrl]);
}
