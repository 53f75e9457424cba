export const texts = {
  translation:
    'Esta es una traducción. Si dice algo distinto del <english>texto en inglés</english>, vale el texto en inglés.',
};
