export type RefusalCode =
  | 'not-an-image'
  | 'image-is-heic'
  | 'image-too-large'
  | 'image-too-many-pixels'
  | 'image-broken';

/** Fixed texts (frontend/PRODUCT.md#fixed-texts). */
export const REFUSALS: Record<RefusalCode, { status: number; message: string }> = {
  'not-an-image': {
    status: 415,
    message: 'Please select an image file (JPG, PNG, GIF, etc.)',
  },
  'image-is-heic': {
    status: 415,
    message: 'Photos in HEIC format cannot be read here. Please save yours as JPG and select it again',
  },
  'image-too-large': { status: 413, message: 'Please select an image smaller than 5MB' },
  'image-too-many-pixels': {
    status: 422,
    message: 'Please select an image of at most 40 megapixels (AVIF: 16) and 12,000 pixels a side',
  },
  'image-broken': {
    status: 422,
    message: 'This image is damaged or incomplete. Please select another one',
  },
};

/** The picture is not kept, and the sender can mend it. */
export class ImageRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(REFUSALS[code].message);
    this.code = code;
  }
}
