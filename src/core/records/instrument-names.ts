type Named = Readonly<{ Symbol?: string; Description?: string }>

/** The names of an instrument: those of its main asset type, or its own. */
export function instrumentNames({ As: [main], Symbol, Description, Isin }: InstrumentWithNames) {
  return {
    symbol: main?.Symbol ?? Symbol ?? '',
    description: main?.Description ?? Description ?? '',
    isin: Isin ?? null,
  }
}

export type InstrumentWithNames = Named & Readonly<{ As: readonly Named[]; Isin?: string }>
