/** What people need to know of the demo data; the files in demo/ have the same values. */
export const demoApp = {
  AppKey: '0123456789abcdef0123456789abcdef',
  Secret: 'fedcba9876543210fedcba9876543210',
} as const

export const demoFacts = {
  appKey: demoApp.AppKey,
  secret: demoApp.Secret,
  redirectUri: 'http://localhost:5000/callback',
  users: ['ada', 'bo', 'cy'],
  password: 'refdesk-demo',
}
