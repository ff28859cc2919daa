import type { InstrumentDetails, OptionSpaceAnswer } from '../../instruments/api/schema.ts'
import type { Visit } from '../shared/context.ts'
import { namedChains } from './pages/related.ts'

/** The chains that an instrument names, as far as the reader may see them: what they are called, without their options. */
export async function chainsOf(visit: Visit, details: InstrumentDetails): Promise<OptionSpaceAnswer[]> {
  const chains = await Promise.all(
    namedChains(details).map((id) =>
      visit.api.find<OptionSpaceAnswer>(`/ref/v1/instruments/contractoptionspaces/${id}`, {
        OptionSpaceSegment: 'None',
      }),
    ),
  )
  return chains.filter((chain) => chain !== undefined)
}
