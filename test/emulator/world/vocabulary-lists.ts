/** The most common first. */
export const britishGiven = words(`
  David John Sarah Michael Susan James Emma Andrew Margaret Christopher Elizabeth Robert Julie Stephen Laura Richard
  Catherine Daniel Claire Matthew Rebecca Mark Karen Thomas Helen William Nicola Jonathan Amy Peter Jennifer Simon Victoria
  Ian Louise Alan Joanne Kevin Rachel Gary Charlotte Benjamin Lisa Adam Hannah Anthony Sophie Joseph Lauren Philip Jessica
  Martin Kate Alexander Olivia Luke Patricia Joshua Christine Jack Alison Ryan Linda Samuel Emily George Lucy Neil Mary
  Graham Katie Edward Samantha Colin Natalie Oliver Janet Harry Anne Craig Jane Lee Heather Stuart Gemma Barry Megan Keith
  Deborah Sean Tracey Kenneth Angela Nicholas Michelle Charles Carol Patrick Jacqueline Dean Chloe Gareth Georgina Wayne
  Lorraine Duncan Wendy Hugh Sandra Declan Siobhan Rhys Bethan Iain Fiona Callum Eilidh Dylan Carys Ewan Kirsty Liam Aoife
  Gethin Niamh Hamish Ffion Conor Catriona Owain Sinead Fergus Morag Huw Rhiannon Aidan Isla Toby Imogen Freya Alfie Poppy
  Archie Ruby Theo Florence Arthur Ivy Stanley Elsie Reginald Doris Dennis Maureen Derek Sheila Norman Brenda Trevor Pamela
`);

/** The most common first. */
export const britishFamily = words(`
  Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood
  Jackson Clarke Patterson Hughes Edwards Hill Moore Clark Harrison Scott Morris Turner Cooper Ward Morgan Baker Murphy King
  Lee Martin James Watson Harris Allen Young Anderson Mitchell Phillips Kelly Bell Parker Miller Davis Campbell Bennett
  Griffiths Cook Shaw Stewart Richardson Carter Simpson Collins Price Marshall Adams Bailey Gray Ellis Mills Wilkinson
  Foster Graham Chapman Mason Russell Powell Webb Rogers Hunt Gibson Holmes Palmer Knight Matthews Barnes Thomson Lloyd
  Butler Stevens Reid Murray Fisher Barker Murdoch Dixon Pearson Reynolds Fletcher Harvey Howard Fraser Ross Burton Walsh
  Kennedy Andrews Henderson Brooks Armstrong Gallagher Rose Hudson Lawrence Hart Atkinson Cole Spencer Doyle Ford West
  Fox Jordan Bradley Hamilton Grant Ryan Booth Burns Cunningham Dunn Gardner Lewis Hopkins Payne Newman Wells Cox
  Sutherland Saunders Francis Hawkins Bates Jenkins Berry Carr Willis Stone Osborne Byrne Nicholson Page Perkins Perry Rees
  Hayes Wallace Day Crawford Goodwin Barrett Curtis Bird Potter Nolan Robertson Watts Arnold Fuller Woods Bishop Hewitt
  Sullivan Lynch Baxter Cross McDonald MacDonald O'Brien O'Connor O'Neill O'Sullivan McCarthy McKenzie McLean Douglas
  Duncan Kerr Boyd Bruce Sinclair Paterson Lawson Burke Whelan Brennan Quinn Doherty Daly Farrell Kavanagh Nash Gould
  Haynes Field Griffin Owen Rowe Parsons Pritchard Probert Bevan Bowen Parry Vaughan Gwynne Meredith Llewellyn Pugh
  Howells Tudor Yorath Thorne Hodgson Metcalfe Braithwaite Postlethwaite Thwaites Ramsbottom Entwistle Hargreaves Sutcliffe
  Greenwood Crabtree Illingworth Dawson Dobson Hardcastle Ackroyd Sykes Boothroyd Haigh Womersley Barraclough Tregenza
  Trelawny Pascoe Penrose Nance Rosewarne Trevithick Polkinghorne Hocking Chenoweth Angove Tresidder Blewett Goldsworthy
  Kitto Luscombe Northcott Widdicombe Yeo Squires Bagshaw Wainwright Cartwright Arkwright Thatcher Fairweather Merriman
  Goodfellow Lovell Makepeace Whittaker Longbottom Winterbottom Sidebottom Shufflebotham Higginbottom Rigby Fairclough
  Molyneux Culshaw Rimmer Halsall Ashcroft Tyldesley Pilkington Heywood Kershaw Ogden Schofield Buckley Lomas Hallam
  Bonsall Frith Heathcote Swindells Goddard Chadwick Wardle Bickerstaff Blenkinsop Featherstone Ridley Charlton Robson
  Milburn Dodds Elliott Storey Nesbitt Rutherford Turnbull Oliver Forster Heslop Laidlaw Elphinstone Abercrombie Dalgleish
  Farquhar Gillespie Urquhart Buchanan Drummond Galbraith Haldane Kinnaird Lockhart Moncrieff Ogilvie Pringle Rankine
  Strachan Tulloch Wemyss Cargill Imrie Mowat Rennie Tait Weir Begley Cassidy Devlin Flanagan Geraghty Hennessy Keegan
  Lafferty Maguire Mulligan Nugent Prendergast Rafferty Scanlon Tierney
`);

/** Names of Pakistani and Bangladeshi families, romanised. */
export const urduGiven = words(`
  Mohammed Ayesha Ali Fatima Ahmed Zainab Hassan Maryam Imran Sana Usman Amina Bilal Saima Tariq Nadia Asif Rukhsana Hamza
  Shazia Omar Noreen Faisal Samina Kashif Rabia Adnan Uzma Shahid Bushra Nadeem Farzana Waseem Parveen Zahid Nasreen Khalid
  Yasmin Arshad Tahira Junaid Mehwish Saqib Hina Rizwan Iqra Farhan Anam Naveed Sadia Haroon Kiran Ibrahim Zara Yusuf Alina
  Shafiq Rehana Kamran Shabana Rashid Nargis Sajid Humaira Aftab Nusrat Abdul Rahima Shamim Taslima Jalal Rina Karim Shirin
`);
export const urduFamily = words(`
  Khan Ahmed Hussain Ali Begum Akhtar Malik Mahmood Iqbal Bibi Shah Miah Uddin Rahman Chowdhury Islam Mirza Qureshi Butt
  Sheikh Bhatti Raja Chaudhry Siddiqui Javed Aslam Rashid Hassan Bashir Anwar Ashraf Aziz Saleem Rafiq Sharif Sadiq Yousaf
  Haq Kazi Alam Karim Haque Sarkar Talukdar Bukhari Gilani Hashmi Ansari Farooqi Naqvi Rizvi Zaidi Abbasi Awan Gondal Kayani
  Lodhi Mughal Niazi Pasha Rana Satti Tanoli Warraich
`);

/** Names of Chinese and Hong Kong families, romanised. */
export const chineseGiven = words(`
  Wei Li Jing Yan Ming Xin Hui Jun Mei Lin Hao Ying Chen Fang Jie Na Tao Yu Lei Qing Bo Xiu Kai Hong Yi Ping Feng Ling Rui
  Wen Zhen Yun Cheng Shan Jian Lan Peng Dan Gang Hua Kwok Man Chi Siu Wing Ka Yuen Tsz Kit Ho Lok Yin Hei Sze Mei-Ling
  Xiaoming Jiahui Zihan Yuxuan Haoran Sihan Wai-Lam Ka-Yan Chi-Keung
`);
export const chineseFamily = words(`
  Chan Wong Li Chen Wang Lam Leung Cheung Zhang Liu Ng Ho Lau Cheng Yang Huang Lo Tang Yip Chow Fung Kwok Tsang Yeung Zhou
  Wu Xu Sun Zhu Hu Gao Lin Guo Ma Luo Liang Song Zheng Xie Han Feng Deng Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Du
  Ye Wei Su Lu Ding Ren Yao Shen Mak Kwan Tse Hui Poon Siu Mok Choi Kwong
`);

export const streetStems = words(`
  Acorn Alder Ash Aspen Beech Birch Blackthorn Bramble Cedar Cherry Chestnut Clover Elder Elm Fern Fir Hawthorn Hazel Heather
  Holly Ivy Juniper Larch Laurel Lilac Lime Maple Mulberry Oak Orchard Pear Pine Plane Poplar Primrose Rowan Sorrel Spruce
  Sycamore Thistle Walnut Willow Yew Curlew Dove Dunlin Finch Heron Jay Kestrel Kingfisher Lapwing Lark Linnet Magpie Martin
  Nightingale Osprey Peregrine Plover Robin Skylark Starling Swallow Swift Wagtail Woodpecker Wren Abbey Anchor Bakehouse
  Barley Barn Beacon Bell Brewery Bridge Brook Canal Castle Chapel Church Clay Colliery Common Copse Cottage Cross Dairy Dell
  Drift Factory Farm Ferry Field Foundry Friary Furnace Gasworks Glebe Granary Grange Harbour Heath Hill Home Hope Ivory
  Jubilee Kiln King Lock London Long Malt Manor Market Meadow Mill Minster Moor Nelson New Old Paddock Park Pasture Pottery
  Priory Quarry Quay Queen Rectory Reservoir River Rope Saddler School Sheep Smithy Spring Station Stone Sunny Tannery Tithe
  Tower Union Valley Vicarage Victoria Warren Water Well Wharf Wheat Wind Windmill Wood Woolpack York
`);

/** The parts of the names of a region's coined towns. */
export interface Landscape {
  readonly stems: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly counties: readonly string[];
}

const english = words(`
  Alver Branth Carrel Dorrin Elfer Farrin Gorrel Hanner Ilver Jasper Kelver Lathen Merrel Norrin Ossel Pellar Quenn Rossel
  Sarnel Tavel Othen Varrin Wexel Yarrel Aubren Bellis Corvel Drannel Ember Fenwel Gannet Hestel
`);
const welsh = words(`
  Arwel Brechfan Cerwyd Dyfnel Eurwen Fedlan Garwedd Hywen Ilfryn Llewis Morfel Nantwy Orwedd Prysor Rhydan Sarnwy Tegfan
  Urien Wenfro Ynysel Cadwel Dolwyn Gwestan Mabwen
`);
const scottish = words(`
  Arran Ballach Corvie Dorrach Ervin Feshan Garvel Hirsay Inchrie Kellan Lorrie Marnoch Nevan Orchil Pirrie Quoich Rannal
  Skerray Torvan Ullin Varrich Whinnie Yarroch Braddan
`);
const cornish = words(`
  Anvoss Brannel Carveth Dorvan Elvoth Garrack Helvean Jacca Kerrow Lannack Mawnan Nansal Penveth Rosvear Skewes Tolven
  Vellan Wartha Zennel Crennow
`);

/** By the letter of the region. */
export const landscapes: Readonly<Record<string, Landscape>> = {
  A: anglian('wick ham sett mere field', 'Brackshire Estmarsh'),
  B: anglian('by thorpe worth well toft', 'Trentmoor Wolderland'),
  C: anglian('bourne stead ford gate ham', 'Lowervale Isisbrook'),
  D: {
    stems: welsh,
    before: words('Llan Aber Pen'),
    after: words('dale'),
    counties: words('Menaishire Alynvale'),
  },
  E: anglian('ley hall wich cott bury', 'Ardenfold Wreakshire'),
  F: anglian('law heugh ton side burn', 'Coquetshire Weardonland'),
  G: anglian('thwaite garth scale mere gill', 'Furnessey Ribbledon'),
  P: {
    stems: scottish,
    before: words('Inver Kin Auch'),
    after: words(''),
    counties: words('Strathorrin Glenmarrow'),
  },
  N: {
    stems: scottish,
    before: words('Dal Blair'),
    after: words('kirk muir'),
    counties: words('Lowdenshire Annanmoor'),
  },
  J: anglian('hurst den fold ling bourne', 'Wealdshire Rothermarsh'),
  H: anglian('combe holt worthy minster wood', 'Testmere Stourland'),
  K: {
    stems: welsh,
    before: words('Tre Pont Cwm'),
    after: words('fach'),
    counties: words('Tawevale Gwentmor'),
  },
  L: {
    stems: cornish,
    before: words('Tre Pol'),
    after: words('combe stow'),
    counties: words('Tamarland Exmarsh'),
  },
  M: anglian('royd rigg thorpe dale garth', 'Airelund Wharfmoor'),
};

function anglian(endings: string, counties: string): Landscape {
  return { stems: english, before: [], after: words(endings), counties: words(counties) };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
