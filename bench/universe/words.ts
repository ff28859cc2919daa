/** Words of instrument names, the most frequent first; others are generated. */
const words = (text: string): string[] => text.trim().split(/\s+/)

export const legalForms = words(
  'Limited Inc. Ltd. S.A. Co.,Ltd. plc Corporation AG Corp. Company AB N.V. SE Berhad S.p.A. ASA A/S',
)
export const trades =
  words(`Holdings Group International Technology Energy Capital Resources Industries Pharmaceuticals Mining
  Financial Bank Gold Healthcare Systems Therapeutics Electronics Properties Estate Media Solutions Foods Insurance Power
  Chemical Motor Steel Metals Semiconductor Software Logistics Biotech Minerals Oil Gas Water Retail Textile Engineering
  Construction Cement Airlines Shipping Hotels Entertainment Telecom Networks Medical Materials Partners Investment Trust`)
export const shareKinds = words('Common Ordinary Class Depositary Preferred Units Warrant Rights')
export const regions =
  words(`US Global Europe Emerging America Asia Japan China Developed World Pacific Eurozone Germany UK
  France Canada India Korea Australia Nordic Switzerland Brazil Taiwan Italy Spain Mexico Thailand Israel Africa Turkey`)
export const sectors =
  words(`Consumer Energy Technology Financials Health Industrials Basic Real Utilities Materials Telecommunications
  Banks Media Automobiles Insurance Retail Chemicals Construction Travel Food Software Oil Gold Water Biotechnology Railroads
  Tobacco Aerospace Forestry Steel Footwear Brewers Airlines Toys Pipelines Diamonds Coal`)
export const capSizes = ['Large Mid Cap', 'Small Cap', 'Large Cap', 'Mid Cap', '1500', 'Benchmark']
export const returns = ['TR', 'NTR', 'Index', 'TR Index', '']
export const currencies = words('USD EUR GBP JPY CAD AUD CHF CNY SEK INR')
export const families =
  words(`iShares Invesco Fidelity Amundi Lyxor Xtrackers SPDR Vanguard American UBS JPMorgan BlackRock Franklin
  Putnam Deka Raiffeisen Schwab BMO Principal Columbia Nuveen MFS DWS Janus Schroder Allianz WisdomTree Goldman Hartford
  Pioneer Dreyfus Voya Nuance Eaton Templeton Santander Bankia Scotia Dimensional Oppenheimer Calvert Lazard Pictet Robeco`)
export const assets = words(
  'Bond Equity Income Growth Value Stock Dividend Government Corporate Treasury Municipal Balanced Credit Real Market',
)
export const strategies = words(
  'High Core Short Small Mid Large International Strategic Select Total Quality Low Long Active Ultra Sustainable ESG',
)
export const shareClasses = words('A I C R B Institutional Investor R6 Y Z Acc Dis')
export const makers = words('MSCI S&P FTSE STOXX Bloomberg Nikkei Solactive Russell')

const syllables =
  words(`ar ba be bo ca ce co da de di do el en er fa fi ga ge go ha he ho in ir ka ke ki ko la le li lo lu ma me mi mo
  na ne ni no nu or pa pe po qu ra re ri ro ru sa se si so su ta te ti to tu ur va ve vi vo wa we wi xa ya yo za ze zi zo`)

/** A word derived from a number; nearly always different for different numbers. */
export function coined(number: number): string {
  let rest = (Math.imul(number + 1, 2_654_435_761) >>> 4) + number
  let word = ''
  for (let count = 2 + (number % 3); count > 0; count--) {
    word += syllables[rest % syllables.length] ?? ''
    rest = Math.floor(rest / syllables.length)
  }
  return word.charAt(0).toUpperCase() + word.slice(1)
}
