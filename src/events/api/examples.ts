/** Examples from the demo data. Days have no time here: the wire profile adds it. */

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
  Holdings: [
    {
      AccountId: '9226397',
      AccountKey: 'MBZsM65o3H4jc4FdAqA9hw==',
      Amount: 18,
      ClientId: '10001',
      ClientKey: 'JGMWQM9k|3uj5EIDjH1z9Q==',
      ClientName: 'Ada Holding',
      ElectedAmount: 0,
      EventId: 'CA4644264-1501',
      OwnerId: '10001',
    },
  ],
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
