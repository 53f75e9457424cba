import { z } from 'zod';
import { drafts } from '../../lib/drafts.ts';
import type { LaunchForm } from './launch-form.ts';

const Form = z.object({
  title: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  day: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  locationMode: z.enum(['list', 'custom']),
  location: z.string(),
  tags: z.array(z.string()),
  hasTickets: z.boolean(),
  ticketPrice: z.string(),
  totalTickets: z.string(),
  contactEmail: z.string(),
}) satisfies z.ZodType<LaunchForm>;

/** `key` names the wish: launched again after a reload, it makes no second event. */
const Draft = z.object({ form: Form, key: z.string(), hasPhoto: z.boolean() });

const FORM = 'launch';
/** A photo from the device is kept for itself: it can be too large, and is not written with every letter. */
const PHOTO = 'launch-photo';
const isPhoto = (imageUrl: string) => imageUrl.startsWith('data:');

interface KeptDraft {
  form: LaunchForm;
  key: string;
  /** There was a photo for which the browser had no room. */
  lostPhoto: boolean;
}

export function readDraft(userId: number): KeptDraft | null {
  const draft = drafts.read(FORM, userId, Draft);
  if (!draft) return null;
  const photo = draft.hasPhoto ? drafts.read(PHOTO, userId, z.string()) : null;
  const imageUrl = photo ?? draft.form.imageUrl;
  return { form: { ...draft.form, imageUrl }, key: draft.key, lostPhoto: draft.hasPhoto && photo === null };
}

export function writeDraft(userId: number, form: LaunchForm, key: string): void {
  const hasPhoto = isPhoto(form.imageUrl);
  const write = () => drafts.write(FORM, userId, { form: hasPhoto ? { ...form, imageUrl: '' } : form, key, hasPhoto });
  if (write() || !hasPhoto) return;
  // The photo can be chosen again; the words would have to be found again.
  drafts.drop(PHOTO);
  write();
}

export function writePhoto(userId: number, imageUrl: string): void {
  if (isPhoto(imageUrl)) drafts.write(PHOTO, userId, imageUrl);
  else drafts.drop(PHOTO);
}

export function dropDraft(): void {
  drafts.drop(FORM);
  drafts.drop(PHOTO);
}
