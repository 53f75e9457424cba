import { z } from 'zod';
import { fault } from '../problems/fault.ts';
import { envelope, IdText, optionalField } from '../common/basics.ts';
import { MAX_PHOTO_DESCRIPTION, MAX_PHOTO_TITLE } from './gallery-texts.ts';
import { blockText, lineText } from '../common/text.ts';

/**
 * `pending`: visible only to the uploader and admins. `rejected`: an admin rejected the photo; the uploader sees the
 * reason.
 */
export const PhotoStatus = z.enum(['pending', 'verified', 'rejected']);
export type PhotoStatus = z.infer<typeof PhotoStatus>;

/**
 * The fields of POST /api/gallery/upload (multipart), in addition to the file `image`
 * (services/media/PRODUCT.md#gallery).
 */
export const PhotoFields = z.object({
  title: lineText(MAX_PHOTO_TITLE, 'invalid.photo-title'),
  description: optionalField(blockText(MAX_PHOTO_DESCRIPTION, 'invalid.something-or-nothing')),
  eventId: z
    .string(fault('invalid.photo-event'))
    .pipe(z.string().regex(/^[1-9]\d{0,9}$/, fault('invalid.photo-event')))
    .pipe(IdText),
});
export type PhotoFields = z.infer<typeof PhotoFields>;

/** A photo as a reader sees it, without its uploader. */
export const Photo = z.object({
  id: z.int(),
  /**
   * Path of the large size, whose name derives from its content. The paths of the other sizes derive from this path
   * (`storedSizes`).
   */
  imageUrl: z.string(),
  width: z.int(),
  height: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  eventId: z.int(),
  /** null until media knows the event. */
  eventTitle: z.string().nullable(),
  isVerified: z.boolean(),
  status: PhotoStatus,
  /** Why an admin rejected the photo; only for its uploader and admins. */
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  likes: z.int(),
  /** Whether the reader likes the photo, and whether the reader uploaded it. */
  isLiked: z.boolean(),
  isOwn: z.boolean(),
});
export type Photo = z.infer<typeof Photo>;

const limit = z.coerce.number().int().min(1).max(60).default(24);

/**
 * GET /api/gallery, newest first. With any parameter the response is a page; without parameters it is a list with the
 * latest photos.
 */
export const GalleryQuery = z.object({ eventId: IdText.optional(), cursor: IdText.optional(), limit });
export const PhotoList = z.array(Photo);
export const PhotoPage = z.object({ items: PhotoList, nextCursor: z.string().nullable() });
export type PhotoPage = z.infer<typeof PhotoPage>;

/** GET /api/gallery/events: events with photos that the reader can see, ordered by their latest photo, newest first. */
export const GalleryEvents = z.array(z.object({ eventId: z.int(), title: z.string(), photos: z.int() }));
export type GalleryEvents = z.infer<typeof GalleryEvents>;

/** POST and DELETE /api/gallery/{id}/like */
export const PhotoLikes = z.object({ likes: z.int(), isLiked: z.boolean() });
export type PhotoLikes = z.infer<typeof PhotoLikes>;

export const PhotoReportReason = z.enum(['spam', 'abuse', 'privacy', 'other']);
export type PhotoReportReason = z.infer<typeof PhotoReportReason>;

/** POST /api/gallery/{id}/report */
export const ReportPhotoBody = z.strictObject({
  reason: PhotoReportReason,
  note: optionalField(blockText(500, 'invalid.something-or-nothing')),
});
export type ReportPhotoBody = z.infer<typeof ReportPhotoBody>;

/** GET /api/gallery/moderation (admins), longest waiting photo first. */
export const PhotosToCheckQuery = z.object({
  status: z.enum(['pending', 'reported']).default('pending'),
  cursor: IdText.optional(),
  limit,
});
export const PhotoToCheck = Photo.extend({
  uploaderId: z.int(),
  /** Unsettled reports, latest first, without the reporters. */
  reports: z.array(z.object({ reason: PhotoReportReason, note: z.string().nullable(), at: z.iso.datetime() })),
});
export type PhotoToCheck = z.infer<typeof PhotoToCheck>;
export const PhotosToCheck = z.object({ items: z.array(PhotoToCheck), nextCursor: z.string().nullable() });
export type PhotosToCheck = z.infer<typeof PhotosToCheck>;

/** An admin's decision on a photo. `keep` leaves the photo and settles its reports. A rejection has a reason. */
export const ModeratePhotoBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['verify', 'keep', 'remove']) }),
  z.strictObject({ action: z.literal('reject'), reason: lineText(200, 'invalid.why') }),
]);
export type ModeratePhotoBody = z.infer<typeof ModeratePhotoBody>;

/** `none`: never requested. `declined`: an admin declined the request; the account may request again. */
export const UploaderState = z.enum(['none', 'asked', 'verified', 'declined']);
export type UploaderState = z.infer<typeof UploaderState>;

/** GET /api/gallery/verification: what the reader may upload, and why. */
export const UploadRights = z.object({
  /**
   * True for businesses and admins, who may upload photos of every event. Other accounts may upload only for `events`.
   */
  mayUploadForAll: z.boolean(),
  /** Events for which the reader has a ticket, latest first. `hasBegun`: photos may be uploaded now. */
  events: z.array(z.object({ eventId: z.int(), title: z.string(), startsAt: z.iso.datetime(), hasBegun: z.boolean() })),
  /** A business account's review state. null for other accounts. */
  business: z
    .object({ state: UploaderState, businessName: z.string().nullable(), about: z.string().nullable() })
    .nullable(),
});
export type UploadRights = z.infer<typeof UploadRights>;

/** POST /api/gallery/verification, by a business: requests a review by an admin. */
export const AskVerificationBody = z.strictObject({
  businessName: lineText(100, 'invalid.business'),
  about: blockText(500, 'invalid.business-about'),
});
export type AskVerificationBody = z.infer<typeof AskVerificationBody>;

/** GET /api/gallery/verifications (admins): accounts that wait for review, longest waiting first. */
export const VerificationRequests = z.object({
  items: z.array(z.object({ userId: z.int(), businessName: z.string(), about: z.string(), askedAt: z.iso.datetime() })),
});
export type VerificationRequests = z.infer<typeof VerificationRequests>;

/** POST /api/gallery/verifications/{id}: `id` is the account's id. */
export const DecideVerificationBody = z.strictObject({ action: z.enum(['verify', 'decline']) });
export type DecideVerificationBody = z.infer<typeof DecideVerificationBody>;

/**
 * A photo became public. `how`: its uploader has a ticket or is a verified business, or an admin approved the photo.
 */
export const PhotoVerifiedV1 = z.object({
  ...envelope,
  type: z.literal('media.photo-verified'),
  version: z.literal(1),
  data: z.object({
    photoId: z.int(),
    eventId: z.int(),
    uploaderId: z.int(),
    how: z.enum(['ticket', 'business', 'admin']),
  }),
});
export type PhotoVerifiedV1 = z.infer<typeof PhotoVerifiedV1>;

/** An admin rejected or removed a photo. The photo is not public, and may never have been public. */
export const PhotoHiddenV1 = z.object({
  ...envelope,
  type: z.literal('media.photo-hidden'),
  version: z.literal(1),
  data: z.object({ photoId: z.int() }),
});
export type PhotoHiddenV1 = z.infer<typeof PhotoHiddenV1>;
