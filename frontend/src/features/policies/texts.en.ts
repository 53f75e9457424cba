export const texts = {
  translation:
    'This is a translation. Where it differs from the <english>English text</english>, the English text applies.',
} as const;
