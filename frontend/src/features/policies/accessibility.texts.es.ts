export const texts = {
  title: 'Accesibilidad',
  lead: 'Beltway es para todas las personas. Lo construimos según las Pautas de Accesibilidad para el Contenido Web (WCAG) 2.2, nivel AA.',
  updated: '23 de noviembre de 2026',
  countOn: 'Con qué puedes contar',
  keyboard: 'Todo funciona solo con el teclado; siempre se ve qué tiene el foco, y Atrás cierra lo que está abierto.',
  readers:
    'Los lectores de pantalla anuncian nombres, estados y errores. Las fechas y los precios se leen como los dice la gente.',
  contrast: 'El texto conserva su contraste en el tema claro y en el oscuro, y se puede ampliar al 200%.',
  small:
    'Las páginas funcionan en pantallas de 320 píxeles de ancho. Los botones tienen tamaño suficiente para un pulgar.',
  motion: 'Si tu dispositivo pide menos movimiento, nada se mueve.',
  errors:
    'Lo que escribes se conserva cuando algo sale mal; los errores aparecen junto a su campo y dicen cómo corregirlos.',
  howChecked: 'Cómo lo comprobamos',
  checked:
    'Cada pantalla se revisa con axe, en los dos temas y en pantallas pequeñas y grandes, cada vez que cambia el código. Eso encuentra muchos fallos, pero no todos: no es el dictamen de un auditor independiente.',
  hard: 'Qué puede ser difícil todavía',
  pictures:
    'Las imágenes que suben los organizadores no tienen descripción propia; junto a ellas está el título del evento.',
  cardForm: 'El formulario de la tarjeta es del proveedor de tarjetas.',
  steps:
    'Si se puede llegar a un lugar sin escalones lo sabe quien organiza. Las descripciones de los eventos no siempre lo dicen.',
  tell: 'Avísanos',
  tellWhat:
    'Si algo te impide usar la página, <contact>escríbenos</contact>: qué querías hacer y con qué dispositivo. También te ayudamos a comprar un boleto de otra manera.',
};
