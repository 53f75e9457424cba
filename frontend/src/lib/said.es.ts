import { BADGES_IN_SPANISH } from '@beltway/contracts/badges-in-spanish';

/** What the server and the contracts' schemas say: by sentence, by its beginning, then by code (said.ts). */
export const said: Record<'sentences' | 'openings' | 'codes', Readonly<Record<string, string>>> = {
  sentences: {
    // Accounts
    'Please enter a valid email address': 'Escribe una dirección de correo electrónico válida',
    'Please enter your email address': 'Escribe tu correo electrónico',
    'Please enter your password': 'Escribe tu contraseña',
    'Password must be at least 6 characters': 'La contraseña debe tener al menos 6 caracteres',
    'Name is required': 'El nombre es obligatorio',
    'This password is too easy to guess. Please choose another one.':
      'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
    'Invalid email or password.': 'Correo electrónico o contraseña incorrectos.',
    'Email may already be in use.': 'Es posible que este correo electrónico ya esté en uso.',
    'This is not your password.': 'Esta no es tu contraseña.',
    'This is your password already.': 'Esta ya es tu contraseña.',
    'This is your address already.': 'Esta ya es tu dirección.',
    'This address cannot be used.': 'No se puede usar esta dirección.',
    'A demo account belongs to everybody and stays.': 'Una cuenta de demostración es de todos y no se cambia.',
    'This link is for another account. Sign in to that one to use it.':
      'Este enlace es de otra cuenta. Inicia sesión con esa cuenta para usarlo.',
    'This link is no longer good: it was used, it is too old, or something has changed since. Please ask for another one.':
      'Este enlace ya no sirve: se usó, es demasiado viejo o algo cambió desde entonces. Pide otro.',
    'Your account was changed from elsewhere a moment ago.': 'Tu cuenta se cambió desde otro lugar hace un momento.',
    'Too many people are signing in at once. Please try again in a moment.':
      'Demasiadas personas están iniciando sesión a la vez. Inténtalo de nuevo en un momento.',
    'This code is not right, or it was used already. Enter the one that your app shows now.':
      'Este código no es correcto o ya se usó. Escribe el que muestra tu aplicación ahora.',
    'Enter the six digits that your app shows, or a recovery code.':
      'Escribe los seis dígitos que muestra tu aplicación o un código de recuperación.',
    'Codes of your app cannot be checked now. Use a recovery code.':
      'Los códigos de tu aplicación no se pueden comprobar ahora. Usa un código de recuperación.',
    'This passkey does not open an account here. Sign in with your password.':
      'Esta llave de acceso no abre ninguna cuenta aquí. Inicia sesión con tu contraseña.',
    'This passkey could not be added. Please try again.':
      'No se pudo agregar esta llave de acceso. Inténtalo de nuevo.',
    'Please give the passkey a name': 'Ponle un nombre a la llave de acceso',
    'Authentication required': 'Tienes que iniciar sesión',
    // Tickets
    'Sold out.': 'Agotado.',
    'This event is over.': 'Este evento ya terminó.',
    'This event was cancelled.': 'Este evento se canceló.',
    'This event is postponed. Tickets are sold again when it has a new date.':
      'Este evento se pospuso. Se volverán a vender boletos cuando tenga una nueva fecha.',
    'Ticket sales are not currently available for this event.':
      'En este momento no hay venta de boletos para este evento.',
    'Ticket sales have not started yet.': 'La venta de boletos todavía no empieza.',
    'Ticket sales for this event have ended.': 'La venta de boletos para este evento terminó.',
    'These tickets are no longer held for you.': 'Estos boletos ya no están apartados para ti.',
    'The payment of these tickets is under way. Please wait a moment.':
      'El pago de estos boletos está en curso. Espera un momento.',
    'This order is being paid in another window. Please try again.':
      'Este pedido se está pagando en otra ventana. Inténtalo de nuevo.',
    'The time was extended already.': 'El tiempo ya se amplió una vez.',
    'These tickets are refunded already.': 'Estos boletos ya se reembolsaron.',
    'These tickets are not paid yet.': 'Estos boletos todavía no se pagan.',
    'These tickets belong to another account already.': 'Estos boletos ya son de otra cuenta.',
    'These tickets were mailed often enough. Please try later.':
      'Estos boletos ya se enviaron varias veces. Inténtalo más tarde.',
    'Choose at least one ticket': 'Elige al menos un boleto',
    'Quantity must be a whole number from 1 to 10': 'La cantidad debe ser un número entero del 1 al 10',
    'Too many tickets are held from your network right now. Please pay for them, give some back, or try again in a few minutes.':
      'Hay demasiados boletos apartados desde tu red en este momento. Págalos, devuelve algunos o inténtalo en unos minutos.',
    // Events
    'A tag is one word of letters and digits': 'Una etiqueta es una sola palabra de letras y números',
    'A tag must not be empty': 'Una etiqueta no puede estar vacía',
    'All dates must be between 2000 and 2100': 'Todas las fechas deben estar entre 2000 y 2100',
    'Choose at least one more date': 'Elige al menos una fecha más',
    'Event Date must be a date between 2000 and 2100': 'La fecha del evento debe estar entre 2000 y 2100',
    'Event Date must be a date': 'La fecha del evento debe ser una fecha',
    'Event Description is required': 'La descripción del evento es obligatoria',
    'Event Location is required': 'El lugar del evento es obligatorio',
    'Event Title is required': 'El título del evento es obligatorio',
    'Please enter a ticket price in dollars and whole cents, such as 12.50':
      'Escribe un precio en dólares y centavos, como 12.50',
    'Please enter a valid email address for event confirmation':
      'Escribe un correo electrónico válido para confirmar el evento',
    'Please enter a valid ticket price greater than $0': 'Escribe un precio mayor que $0',
    'Ticket prices start at $0.50, the least a card can be charged':
      'El precio mínimo es $0.50, lo menos que se puede cobrar a una tarjeta',
    'Please enter the total number of tickets available': 'Escribe el número total de boletos disponibles',
    'Please give the search a name': 'Ponle un nombre a la búsqueda',
    'Say how many dates, 2 to 52': 'Di cuántas fechas, de 2 a 52',
    'The date is not the last of its weekday in its month':
      'La fecha no es la última de ese día de la semana en su mes',
    'Enter the number of an account, or its whole address.': 'Escribe el número de una cuenta o su dirección completa.',
    // Payouts and files
    '1-2 business days': 'de 1 a 2 días hábiles',
    'The file could not be made. Please try again.': 'No se pudo crear el archivo. Inténtalo de nuevo.',
    // Everywhere
    'Please write something': 'Escribe algo',
    'This is not yours to see or change.': 'No puedes ver ni cambiar esto.',
    'Something went wrong on our side. Please try again.': 'Algo salió mal de nuestro lado. Inténtalo de nuevo.',
    'Too many people at once. Please try again in a moment.':
      'Hay demasiadas personas a la vez. Inténtalo de nuevo en un momento.',
    'A part of Beltway does not answer right now. Nothing was lost; please try again.':
      'Una parte de Beltway no responde en este momento. No se perdió nada; inténtalo de nuevo.',
    // Photos and videos
    'Invalid File Type': 'Tipo de archivo no válido',
    'Please select an image file (JPG, PNG, GIF, etc.)': 'Elige un archivo de imagen (JPG, PNG, GIF, etc.)',
    'File Too Large': 'El archivo es demasiado grande',
    'Image must be under 10MB. Please compress your image or choose a smaller file.':
      'La imagen debe pesar menos de 10 MB. Comprímela o elige un archivo más pequeño.',
    'Title Required': 'Falta el título',
    'Please provide a title for your photo.': 'Ponle un título a tu foto.',
    'Event Required': 'Falta el evento',
    'Please select which event this photo is from.': 'Elige de qué evento es esta foto.',
    'Image Required': 'Falta la imagen',
    'Please select an image to upload.': 'Elige una imagen para subir.',
    'Authentication Required': 'Tienes que iniciar sesión',
    'Please log in to upload videos.': 'Inicia sesión para subir videos.',
    'Missing Information': 'Falta información',
    'Please provide a title and select a video file.': 'Ponle un título y elige un archivo de video.',
    'Please select a video file.': 'Elige un archivo de video.',
    'Video file must be less than 50MB.': 'El video debe pesar menos de 50 MB.',
    'Please select an image smaller than 5MB': 'Elige una imagen de menos de 5 MB',
    // Packages of ads
    'Basic Banner': 'Banner básico',
    'Premium Top Placement': 'Primer lugar premium',
    'Premium Spotlight': 'Espacio destacado premium',
    'Featured Campaign': 'Campaña destacada',
    'Basic Spotlight': 'Espacio destacado básico',
    'Premium Boost': 'Impulso premium',
    'Enterprise Domination': 'Presencia empresarial',
    'Ultimate Exposure': 'Exposición máxima',
    '7 days': '7 días',
    '14 days': '14 días',
    '30 days': '30 días',
    '1 week': '1 semana',
    '2 weeks': '2 semanas',
    '1 month': '1 mes',
    '6 weeks': '6 semanas',
    'Most Popular': 'El más popular',
    'Best Value': 'El que más rinde',
    Premium: 'Premium',
    'Banner on the home page': 'Banner en la página principal',
    'Block with picture on the home page': 'Bloque con imagen en la página principal',
    'Up to 5,000 impressions': 'Hasta 5,000 impresiones',
    'Up to 15,000 impressions': 'Hasta 15,000 impresiones',
    'Up to 25,000 impressions': 'Hasta 25,000 impresiones',
    'Unlimited impressions': 'Impresiones ilimitadas',
    '25K+ guaranteed impressions': 'Más de 25,000 impresiones garantizadas',
    'In rotation for 1 week': 'En rotación por 1 semana',
    'In rotation for 2 weeks': 'En rotación por 2 semanas',
    'In rotation for 1 month': 'En rotación por 1 mes',
    'In rotation for 6 weeks': 'En rotación por 6 semanas',
    'Labelled as sponsored': 'Marcado como patrocinado',
    'A page with your figures': 'Una página con tus cifras',
    // Ads
    'Please enter the name of your business': 'Escribe el nombre de tu negocio',
    'Please enter a phone number, or nothing': 'Escribe un número de teléfono, o nada',
    'Please enter the address that your ad leads to': 'Escribe la dirección a la que lleva tu anuncio',
    'must be a web address that begins with https:// or http://':
      'debe ser una dirección web que empiece con https:// o http://',
    'Please choose a picture': 'Elige una imagen',
    'Please enter a title': 'Escribe un título',
    'Please describe the picture for those who do not see it': 'Describe la imagen para quienes no la ven',
    // Live streams
    'Please choose when the live stream starts': 'Elige cuándo empieza la transmisión en vivo',
    'Please choose when the live stream ends': 'Elige cuándo termina la transmisión en vivo',
    'Please enter a whole number of viewers from 1 to 10,000':
      'Escribe un número entero de espectadores del 1 al 10,000',
    'The live stream must end after it starts': 'La transmisión debe terminar después de empezar',
    'A live stream can last 12 hours at most': 'Una transmisión en vivo puede durar 12 horas como máximo',
    'This start time is past. Please choose a later one': 'Esa hora de inicio ya pasó. Elige una posterior',
    'The live stream must start before the event is over': 'La transmisión debe empezar antes de que termine el evento',
    'The live stream must end after the event has begun':
      'La transmisión debe terminar después de que empiece el evento',
    'Challenge: Two nights out': 'Reto: Dos salidas',
    'Challenge: Show how it was': 'Reto: Muestra cómo estuvo',
    'Somebody you invited attended their first event': 'Alguien a quien invitaste fue a su primer evento',
    ...BADGES_IN_SPANISH,
  },
  openings: {
    'Challenge: A night in ': 'Reto: Una noche en ',
    'Attended ': 'Fuiste a ',
    'Shared a photo of ': 'Compartiste una foto de ',
  },
  codes: {
    'account-suspended':
      'Tu cuenta está suspendida. Te enviamos un correo con el motivo y un enlace para pedir otra revisión.',
    'changed-meanwhile': 'Esto cambió mientras tanto. Míralo otra vez.',
    forbidden: 'No puedes ver ni cambiar esto.',
    internal: 'Algo salió mal de nuestro lado. Inténtalo de nuevo.',
    'not-enough-left': 'Ya no quedan tantos boletos.',
    'not-found': 'Esto no existe.',
    'too-many-passkeys': 'Una cuenta puede tener 20 llaves de acceso. Elimina una antes.',
    unauthenticated: 'Tienes que iniciar sesión.',
    unavailable: 'Esto no está disponible por un momento. Inténtalo de nuevo.',
  },
};
