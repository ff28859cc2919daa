import type { StockRow } from './stocks.ts'

/** Milan, Uics 1660 to 1699. */
export const milanStocks: StockRow[] = [
  [1660, 'UCG', 'UniCredit SpA', 'IT0005239360', 63.24],
  [1661, 'ISP', 'Intesa Sanpaolo SpA', 'IT0000072618', 5.612],
  [1662, 'ENEL', 'Enel SpA', 'IT0003128367', 8.836],
  [1663, 'RACE', 'Ferrari NV', 'NL0011585146', 360.2, { country: 'IT' }],
  [1664, 'ENI', 'Eni SpA', 'IT0003132476', 15.96],
  [1665, 'G', 'Assicurazioni Generali SpA', 'IT0000062072', 33.84],
  [1666, 'PRY', 'Prysmian SpA', 'IT0004176001', 86.92],
  [1667, 'LDO', 'Leonardo SpA', 'IT0003856405', 49.87],
  [1668, 'STLAM', 'Stellantis NV', 'NL00150001Q9', 9.024],
  [1669, 'STMMI', 'STMicroelectronics NV', 'NL0000226223', 20.51, { country: 'CH' }],
  [1670, 'PST', 'Poste Italiane SpA', 'IT0003796171', 21.14],
  [1671, 'BAMI', 'Banco BPM SpA', 'IT0005218380', 12.97],
  [1672, 'MONC', 'Moncler SpA', 'IT0004965148', 55.12],
  [1673, 'SRG', 'Snam SpA', 'IT0003153415', 5.682],
  [1674, 'TRN', 'Terna Rete Elettrica Nazionale SpA', 'IT0003242622', 8.974],
  [1675, 'TEN', 'Tenaris SA', 'LU2598331598', 17.36],
  [1676, 'FBK', 'FinecoBank SpA', 'IT0000072170', 19.86],
  [1677, 'CPR', 'Davide Campari-Milano NV', 'NL0015435975', 5.874, { country: 'IT' }],
  [1678, 'TIT', 'Telecom Italia SpA', 'IT0003497168', 0.4968],
]

/** Madrid, Uics 1700 to 1739. */
export const madridStocks: StockRow[] = [
  [1700, 'ITX', 'Industria de Diseno Textil SA', 'ES0148396007', 48.12],
  [1701, 'SAN', 'Banco Santander SA', 'ES0113900J37', 9.114],
  [1702, 'IBE', 'Iberdrola SA', 'ES0144580Y14', 17.82],
  [1703, 'BBVA', 'Banco Bilbao Vizcaya Argentaria SA', 'ES0113211835', 18.46],
  [1704, 'CABK', 'CaixaBank SA', 'ES0140609019', 9.236],
  [1705, 'FER', 'Ferrovial SE', 'NL0015001FS8', 55.86, { country: 'ES' }],
  [1706, 'AMS', 'Amadeus IT Group SA', 'ES0109067019', 64.92],
  [1707, 'TEF', 'Telefonica SA', 'ES0178430E18', 3.684],
  [1708, 'REP', 'Repsol SA', 'ES0173516115', 15.98],
  [1709, 'ACS', 'ACS Actividades de Construccion y Servicios SA', 'ES0167050915', 75.1],
  [1710, 'CLNX', 'Cellnex Telecom SA', 'ES0105066007', 26.84],
  [1711, 'ELE', 'Endesa SA', 'ES0130670112', 31.18],
  [1712, 'IAG', 'International Consolidated Airlines Group SA', 'ES0177542018', 4.492],
  [1713, 'NTGY', 'Naturgy Energy Group SA', 'ES0116870314', 26.08],
  [1714, 'SAB', 'Banco de Sabadell SA', 'ES0113860A34', 3.136],
  [1715, 'MAP', 'Mapfre SA', 'ES0124244E34', 4.012],
  [1716, 'RED', 'Redeia Corp. SA', 'ES0173093024', 15.33],
  [1717, 'GRF', 'Grifols SA - A Share', 'ES0171996087', 11.02],
]
