/** Examples from the demo data. Days have no time here: the wire profile adds it. */

export const holdingExample = {
  AccountId: '9226397',
  AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
  Amount: 18,
  ClientId: '10001',
  ClientKey: 'JGMWQM9k|3uj5EIDjH1z9Q==',
  ClientName: 'Ada Holding',
  ElectedAmount: 0,
  EventId: 'CA4644264-1501',
  OwnerId: '10001',
}

export const eventExample = {
  EventId: 'CA4644264-1501',
  Uic: 1501,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA', Name: 'Cash Dividend', Description: 'The company pays a dividend in cash.' },
  EventState: 'Preliminary',
  EventStatus: 'Upcoming',
  Electable: 'NotElectable',
  DisplayAndFormat: { Description: "L'Oreal SA", IsinCode: 'FR0000120321', Symbol: 'OR:xpar' },
  Ex: { Date: '2027-05-07' },
  Record: { Date: '2027-05-10' },
  Options: [
    {
      OptionId: '001',
      OptionType: { Code: 'CASH', Name: 'Cash', Description: 'Take cash.' },
      Payment: { Date: '2027-05-11' },
      IsDefault: true,
      GrossRate: 7,
      NetRate: 5.25,
      CashMovements: [
        { CashMovementType: 'Credit', Currency: 'EUR', PriceType: 'Actual', GrossDividend: 7, NetDividend: 5.25 },
      ],
    },
  ],
  Holdings: [holdingExample],
  UpdatedDateTime: '2026-11-09T02:22:00.000000Z',
}

export const lookupExample = {
  __count: 2,
  MaxRows: 4,
  Data: [
    {
      FieldGroup: 'EventTypes',
      Values: [{ Code: 'DVCA', Name: 'Cash Dividend', Description: 'The company pays a dividend in cash.' }],
    },
    { FieldGroup: 'AssetTypes', Values: [{ Code: 'Stock', Name: 'Stock', Description: 'Stock.' }] },
  ],
}

export const bulkExample = { AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==', Status: 'Accepted' }

export const instructionExample = {
  AccountDisplayName: '9226397',
  AccountId: '9226397',
  ClientId: '10001',
  AssetType: 'Stock',
  OptionType: 'SECU',
  Uic: 1501,
  CreatedDate: '2026-11-16',
  DisplayAndFormat: { Description: "L'Oreal SA", IsinCode: 'FR0000120321', Symbol: 'OR:xpar' },
  StandingInstructionId: '5d41402abc4b2a76b9719d911017c592',
}

const { AccountDisplayName: _name, ClientId: _client, DisplayAndFormat: _names, ...created } = instructionExample
export const createdInstructionExample = created

export const electionExample = {
  Number: 17,
  EventId: 'CA7109655-1811',
  AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
  ElectedAt: '2026-11-16T12:00:00.000000Z',
  UserKey: 'YOjHpvTCTlWWcx|2vafgFA==',
  AppKey: '0123456789abcdef0123456789abcdef',
  Options: [
    {
      OptionId: '001',
      ElectedAmount: 140,
      ElectedBy: 'ada',
      ElectionType: 'Manual',
      Instruction: { Status: 'Accepted' },
    },
  ],
}
