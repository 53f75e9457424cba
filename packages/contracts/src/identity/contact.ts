import { z } from 'zod';
import { fieldOr } from '../common/basics.ts';
import { blockText, emailText } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum characters of a message. */
export const MAX_COMMENTS = 4_000;

/** Digits with the usual separators. */
export const PhoneNumber = z
  .string()
  .trim()
  .max(40, fault('invalid.too-long', { max: 40 }))
  .regex(/^[\d ()+./xX-]*$/, fault('invalid.phone'));

/** POST /api/contact (services/identity/PRODUCT.md#contact). */
export const ContactBody = z.strictObject({
  email: z
    .string(fault('invalid.email-missing'))
    .trim()
    .min(1, { error: fault('invalid.email-missing'), abort: true })
    .max(254)
    .pipe(emailText()),
  phone: fieldOr(PhoneNumber, ''),
  comments: blockText(MAX_COMMENTS, 'invalid.comments'),
});
export type ContactBody = z.infer<typeof ContactBody>;

/** A message in the admins' list. */
export const ContactMessage = z.object({
  id: z.uuid(),
  email: z.string(),
  phone: z.string().nullable(),
  comments: z.string(),
  createdAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

/** GET /api/contact-messages: newest first; `cursor` is the `nextCursor` of the previous page. */
export const ContactQuery = z.object({
  status: z.enum(['open', 'answered', 'all']).default('open'),
  cursor: z.uuid(fault('invalid.cursor-of-answer')).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export const ContactMessages = z.object({ items: z.array(ContactMessage), nextCursor: z.string().nullable() });
export type ContactMessages = z.infer<typeof ContactMessages>;

/** PATCH /api/contact-messages/{messageId} */
export const MarkAnsweredBody = z.strictObject({ answered: z.boolean() });
export type MarkAnsweredBody = z.infer<typeof MarkAnsweredBody>;
