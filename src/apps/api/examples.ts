/** Examples of the API document, from the demo data. */

const branding = { Id: 1, Name: 'Default', Description: 'Default sign-in pages' }

export const redirectUriExample = { RedirectUriId: 1, Uri: 'http://localhost:5000/callback', Branding: branding }

export const secretExample = {
  SecretId: 1,
  Secret: 'fedcba9876543210fedcba9876543210',
  ValidFrom: '2026-11-16T12:00:00.000000Z',
  ValidUntil: '2027-11-16T12:00:00.000000Z',
}

export const appExample = {
  AppKey: '0123456789abcdef0123456789abcdef',
  Name: 'Pocket Charts',
  Description: 'The demo app: authorization code flow with a secret.',
  Flow: 'Code',
  IsActive: true,
  IsTradingEnabled: true,
  Status: 'OK',
  CreatedBy: { Name: 'ada', UserKey: 'YOjHpvTCTlWWcx|2vafgFA==' },
  Endpoints: {
    AuthorizationEndpoint: 'http://localhost:4700/authorize',
    TokenEndpoint: 'http://localhost:4700/token',
  },
  Branding: [branding],
  RedirectUris: [redirectUriExample],
}
