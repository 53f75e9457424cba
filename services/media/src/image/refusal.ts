export type RefusalCode =
  | 'not-an-image'
  | 'image-is-heic'
  | 'image-too-large'
  | 'image-too-many-pixels'
  | 'image-broken';

/**
 * HTTP status for each refusal code. The refusal code is also the key of the text (frontend/PRODUCT.md#fixed-texts).
 */
export const REFUSALS: Record<RefusalCode, number> = {
  'not-an-image': 415,
  'image-is-heic': 415,
  'image-too-large': 413,
  'image-too-many-pixels': 422,
  'image-broken': 422,
};

/** The picture was refused for a reason that the sender can fix. */
export class ImageRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}
