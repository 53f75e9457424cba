/** Texts in scripts that the page does not speak yet: Amharic, which many of the region read, and Arabic, from right to left. */
export interface Sample {
  lang: string;
  dir: 'ltr' | 'rtl';
  title: string;
  text: string;
  place: string;
  name: string;
  hint: string;
  error: string;
  yes: string;
  no: string;
  tags: string[];
}

export const SAMPLES: readonly Sample[] = [
  {
    lang: 'am',
    dir: 'ltr',
    title: 'የኢትዮጵያ አዲስ ዓመት በዓል በሲልቨር ስፕሪንግ ከሙዚቃና ከባህላዊ ምግብ ጋር',
    text: 'ለመላው ቤተሰብ የሚሆን የባህል ሙዚቃ፣ ጭፈራና የቡና ሥነ ሥርዓት፤ መግቢያው በነጻ ነው። ከቀኑ ስምንት ሰዓት ጀምሮ እስከ ምሽቱ አራት ሰዓት ድረስ በሲልቨር ስፕሪንግ አደባባይ ይካሄዳል።',
    place: 'ሲልቨር ስፕሪንግ የሲቪክ ሕንፃ፣ ሜሪላንድ',
    name: 'በቲኬቱ ላይ የሚጻፍ ስም',
    hint: 'ቲኬቶችዎ ከነመለያ ኮዶቻቸው ወደዚህ አድራሻ ይላካሉ።',
    error: 'እባክዎ ስምዎን ያስገቡ፤ ያለ ስም ቲኬት መስጠት አንችልም።',
    yes: 'ቲኬት ይግዙ',
    no: 'ወደ ዝግጅቶች ዝርዝር ይመለሱ',
    tags: ['#ነጻ', '#ሙዚቃ', '#የቤተሰብዝግጅት'],
  },
  {
    lang: 'ar',
    dir: 'rtl',
    title: 'مهرجان الموسيقى والطعام العربي في وسط مدينة واشنطن على ضفاف النهر',
    text: 'أمسية من الموسيقى الحية والمأكولات والحرف اليدوية لكل أفراد العائلة. تبدأ الحفلة في السابعة مساءً وتنتهي قبل منتصف الليل بقليل، والدخول مجاني للأطفال دون الثانية عشرة.',
    place: 'رصيف وارف، واشنطن العاصمة',
    name: 'الاسم على التذكرة',
    hint: 'تُرسل التذاكر مع رموزها إلى هذا العنوان.',
    error: 'يرجى كتابة الاسم؛ لا يمكن إصدار تذكرة من دونه.',
    yes: 'شراء التذاكر',
    no: 'العودة إلى قائمة الفعاليات',
    tags: ['#مجاني', '#موسيقى', '#عائلات'],
  },
];
