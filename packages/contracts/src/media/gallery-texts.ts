// No zod here: the page shows these before anything is sent (services/media/PRODUCT.md#gallery).

/** Bytes of a photo at most, and what is said of a larger one. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

/** What is wrong with an upload, by its field: title and text of the toast. The server answers with the text. */
export const PHOTO_FAULTS = {
  type: { title: 'Invalid File Type', text: 'Please select an image file (JPG, PNG, GIF, etc.)' },
  size: {
    title: 'File Too Large',
    text: 'Image must be under 10MB. Please compress your image or choose a smaller file.',
  },
  title: { title: 'Title Required', text: 'Please provide a title for your photo.' },
  event: { title: 'Event Required', text: 'Please select which event this photo is from.' },
  image: { title: 'Image Required', text: 'Please select an image to upload.' },
} as const;

/** Characters of a photo's title, and of its description. */
export const MAX_PHOTO_TITLE = 120;
export const MAX_PHOTO_DESCRIPTION = 1_000;
