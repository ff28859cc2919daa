import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'

/** The features of the interface that an app may ask for. refdesk has none of them (§12). */
const features = ['Calendar', 'Chart', 'GainersLosers', 'News'].map((Feature) => ({ Available: false, Feature }))

const Features = Type.Array(
  Type.Object(
    {
      Available: Type.Boolean({ description: 'Always false: refdesk has reference data only.' }),
      Feature: Type.String({ description: 'The name of the feature.' }),
    },
    { title: 'FeatureAvailability' },
  ),
  { description: 'The features.', examples: [features] },
)

export const listFeatures = operation({
  method: 'GET',
  path: '/root/v1/features/availability',
  operationId: 'listFeatures',
  summary: 'List features',
  description: 'Returns the features that apps ask for before they show them, and whether each is available.',
  responses: { 200: Features },
})

export const handleListFeatures = async () => features
