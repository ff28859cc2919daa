import type { FastifyReply } from 'fastify'
import { html } from '../../../http/html/html.ts'
import { type FieldName, fields } from '../../../instruments/api/fields/fields.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { capital, words } from '../../shared/format.ts'
import { historySection, type Label } from '../../shared/history/history.ts'
import type { PathPart } from '../../shared/history/rules/wording.ts'
import { instrumentHead, instrumentTabs, readInstrument, renderUnknownInstrument } from './instrument.ts'
import { assetTypeName, instrumentHref } from './names.ts'

export async function showHistory(ctx: PageContext): Promise<FastifyReply> {
  const view = await readInstrument(ctx)
  if (!view) return renderUnknownInstrument(ctx)
  const { Uic, AssetType } = view.details
  const versions = await historySection(ctx, {
    kind: 'instrument',
    id: String(Uic),
    labelOf: fieldLabel,
    href: (skip) => withQuery(`${instrumentHref(Uic, AssetType)}/history`, { $skip: skip }),
  })
  return ctx.render({ ...instrumentHead(view), body: html`${instrumentTabs(view, 'History')}${versions}` })
}

const isField = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** `Tick size`, or `CFD on stock: tick size` for what only one asset type has. */
function fieldLabel(parts: readonly PathPart[]): Label {
  const [first, ...rest] = parts
  const assetType = first?.name === 'As' && first.key !== undefined ? assetTypeName(first.key) : undefined
  if (assetType !== undefined && rest.length === 0) return { label: `Asset type ${assetType}` }
  const members = assetType === undefined ? parts : rest
  const names = members.map(({ name, key }, index) => {
    const label = index === 0 && isField(name) ? fields[name].label : words(name)
    return key === undefined ? label : `${label} ${key}`
  })
  const field = members[0]?.name ?? ''
  const [top = '', ...inner] = names
  const label = [capital(top), ...inner.map((name) => name.toLowerCase())].join(', ')
  return { group: assetType, label, sentence: isField(field) ? fields[field].sentence : undefined }
}
