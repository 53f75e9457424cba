/** Curves of a Metro line between two stations, as `latitude longitude` points. */
export const tracks: Readonly<Record<string, string>> = {
  "Pentagon > L'Enfant Plaza":
    '38.8705 -77.0510, 38.8712 -77.0431, 38.8741 -77.0402, 38.8787 -77.0355, 38.8797 -77.0268, 38.8815 -77.0228, 38.8830 -77.0220',
  'Pentagon > Arlington Cemetery': '38.8712 -77.0525, 38.8730 -77.0525, 38.8790 -77.0585',
  'Arlington Cemetery > Rosslyn': '38.8895 -77.0665, 38.8935 -77.0710',
  'Rosslyn > Foggy Bottom-GWU': '38.8990 -77.0708, 38.9002 -77.0685, 38.9004 -77.0640, 38.9006 -77.0580',
  'East Falls Church > Ballston-MU': '38.8830 -77.1480, 38.8800 -77.1360, 38.8815 -77.1240',
  'West Falls Church > East Falls Church': '38.8985 -77.1830, 38.8930 -77.1700',
  'McLean > East Falls Church':
    '38.9283 -77.2035, 38.9255 -77.1980, 38.9205 -77.1934, 38.9079 -77.1870, 38.8985 -77.1830, 38.8930 -77.1700',
  'Dunn Loring > West Falls Church': '38.8870 -77.2190, 38.8960 -77.2060',
  'Wiehle-Reston East > Spring Hill':
    '38.9447 -77.3250, 38.9482 -77.3065, 38.9465 -77.2917, 38.9418 -77.2768, 38.9335 -77.2638, 38.9335 -77.2471',
  'Washington Dulles International Airport > Innovation Center': '38.9600 -77.4440, 38.9645 -77.4300',
  'Loudoun Gateway > Washington Dulles International Airport': '38.9800 -77.4540, 38.9640 -77.4530',
  'Van Dorn Street > King St-Old Town':
    '38.8000 -77.1200, 38.8020 -77.1142, 38.8055 -77.1080, 38.8062 -77.1034, 38.8055 -77.0728',
  'Franconia-Springfield > Van Dorn Street':
    '38.7707 -77.1610, 38.7790 -77.1564, 38.7917 -77.1556, 38.7965 -77.1500, 38.7985 -77.1400',
  'Stadium-Armory > Benning Road':
    '38.8900 -76.9770, 38.8940 -76.9710, 38.8973 -76.9640, 38.8968 -76.9560, 38.8955 -76.9500, 38.8925 -76.9440',
  'Stadium-Armory > Minnesota Ave': '38.8900 -76.9770, 38.8940 -76.9710, 38.8973 -76.9640, 38.8968 -76.9560',
  'Judiciary Square > Union Station': '38.8948 -77.0130, 38.8948 -77.0090, 38.8960 -77.0070',
  'Fort Totten > Takoma': '38.9620 -77.0085, 38.9690 -77.0140',
  'Silver Spring > Forest Glen': '38.9960 -77.0340, 39.0000 -77.0390, 39.0040 -77.0420',
  'Fort Totten > West Hyattsville': '38.9525 -76.9900, 38.9515 -76.9760',
  'Georgia Ave-Petworth > Fort Totten': '38.9420 -77.0180, 38.9480 -77.0100',
  'Hyattsville Crossing > College Park-U of Md': '38.9685 -76.9420, 38.9725 -76.9330',
  "L'Enfant Plaza > Waterfront": '38.8815 -77.0220, 38.8775 -77.0200',
  'Navy Yard-Ballpark > Anacostia': '38.8755 -76.9995, 38.8730 -76.9975, 38.8670 -76.9962',
  'Woodley Park > Dupont Circle': '38.9200 -77.0500, 38.9150 -77.0470',
  'Tenleytown-AU > Van Ness-UDC': '38.9485 -77.0700',
  'Farragut North > Metro Center': '38.9005 -77.0370, 38.8990 -77.0320',
  'Grosvenor-Strathmore > Medical Center': '39.0180 -77.1010, 39.0080 -77.0985',
  'U Street > Columbia Heights': '38.9168 -77.0305, 38.9178 -77.0322',
  'Shaw-Howard U > U Street': '38.9150 -77.0220, 38.9165 -77.0232, 38.9168 -77.0260',
  'Columbia Heights > Georgia Ave-Petworth': '38.9335 -77.0320, 38.9365 -77.0280',
  'Court House > Rosslyn': '38.8918 -77.0790, 38.8924 -77.0735, 38.8932 -77.0715',
  'Congress Heights > Southern Avenue': '38.8390 -76.9840, 38.8385 -76.9800',
  'Naylor Road > Suitland': '38.8522 -76.9480, 38.8480 -76.9380',
  'West Hyattsville > Hyattsville Crossing': '38.9590 -76.9695, 38.9645 -76.9650',
  'McPherson Square > Metro Center': '38.9012 -77.0295, 38.9003 -77.0283',
  "Smithsonian > L'Enfant Plaza": '38.8862 -77.0275, 38.8850 -77.0255',
  'Pentagon City > Crystal City': '38.8605 -77.0598, 38.8575 -77.0565',
  'Crystal City > National Airport': '38.8582 -77.0478, 38.8562 -77.0452',
  'Potomac Ave > Stadium-Armory': '38.8810 -76.9805, 38.8825 -76.9780',
};
