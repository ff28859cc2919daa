import type { InstrumentDetails, OptionSpace } from '../../instruments/api/schema.ts'
import type { PageContext } from '../shared/context.ts'
import { namedChains } from './pages/related.ts'

/** The option chains that an instrument names and the user may see, without their options. */
export async function chainsOf(ctx: PageContext, details: InstrumentDetails): Promise<OptionSpace[]> {
  const query = { OptionSpaceSegment: 'None' }
  const chains = await Promise.all(
    namedChains(details).map((id) =>
      ctx.api.find<OptionSpace>(`/ref/v1/instruments/contractoptionspaces/${id}`, query),
    ),
  )
  return chains.filter((chain) => chain !== undefined)
}
